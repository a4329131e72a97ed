import { eventTypes, type Event, type EventType, type Ref } from '@sluice/contracts';
import { z } from 'zod';
import type { Draft } from './audit-log.service.ts';

/**
 * What is recorded of an event, in the form in which it is read back.
 * @param position of the event in its stream
 * @param asSent the event as it came, where this release does not understand it, or its time is not believed
 */
export function draftOf(event: Event, position: number, asSent: object | null): Draft {
  return {
    tenant_id: event.tenant_id,
    event_id: event.id.toLowerCase(),
    position,
    type: event.type,
    author: refOf(event.author),
    user: refOf(event.user),
    division: refOf(event.division),
    environment: refOf(event.environment),
    deployment: refOf(event.deployment),
    api_key: refOf(event.api_key),
    data: recordedOf(event) ?? null,
    as_sent: asSent,
    correlation_id: event.correlation_id?.toLowerCase() ?? null,
    occurred_at: new Date(event.occurred_at).toISOString(),
  };
}

/** By type, the fields that an event has for other services alone. */
const unrecorded = new Map(
  Object.entries<EventType>(eventTypes).flatMap(([type, { data }]) => {
    if (!(data instanceof z.ZodObject)) return [];
    const fields = Object.entries<z.ZodType>(data.shape).filter(([, field]) => field.meta()?.['unrecorded']);
    return fields.length > 0 ? [[type, new Set(fields.map(([name]) => name))]] : [];
  }),
);

function recordedOf({ type, data }: Event): unknown {
  const fields = unrecorded.get(type);
  if (!fields || typeof data !== 'object' || data === null || Array.isArray(data)) return data;
  return Object.fromEntries(Object.entries(data).filter(([name]) => !fields.has(name)));
}

const refOf = (ref: Ref<number> | null) => ref && { id: ref.id, name: ref.name };
