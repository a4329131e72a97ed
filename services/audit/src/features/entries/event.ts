import { eventSchema, tenantIdSchema, type Event } from '@sluice/contracts';
import { PermanentError } from '@sluice/messaging';
import { z } from 'zod';
import { knownTypes } from './audit-types.ts';

/** Without these nobody could say what happened to whom, and when. */
const leastSchema = eventSchema.pick({ id: true, type: true, occurred_at: true }).extend({
  tenant_id: tenantIdSchema,
});

/** What else an entry tells; where it is of another form than this release knows, it is left out, and stands in the event alone. */
const restSchema = z.object({
  division: eventSchema.shape.division.catch(null),
  environment: eventSchema.shape.environment.catch(null),
  deployment: eventSchema.shape.deployment.catch(null),
  author: eventSchema.shape.author.catch(null),
  user: eventSchema.shape.user.catch(null),
  api_key: eventSchema.shape.api_key.catch(null),
  data: z.unknown(),
  correlation_id: eventSchema.shape.correlation_id.catch(null),
});

export interface ReadEvent {
  event: Event;
  /** whether it has the form that this release knows of its type */
  isUnderstood: boolean;
}

/** Reads what can be read of an event. @throws PermanentError when it cannot be one */
export function readEvent(message: unknown): ReadEvent {
  const { data: event } = eventSchema.safeParse(message);
  if (event) return { event, isUnderstood: hasKnownData(event) };
  const least = leastSchema.safeParse(message);
  if (!least.success) throw new PermanentError('it has no id, type, time or tenant, so it is no event');
  return { event: { ...restSchema.parse(message), ...least.data }, isUnderstood: false };
}

/** Whether an event has the form that this release knows of its type. */
export function isUnderstood(message: unknown): boolean {
  const { data: event } = eventSchema.safeParse(message);
  return event !== undefined && hasKnownData(event);
}

function hasKnownData({ type, data }: Event): boolean {
  return knownTypes.get(type)?.data.safeParse(data).success ?? false;
}
