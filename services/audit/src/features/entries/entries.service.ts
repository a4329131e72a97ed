import { eventSchema, eventTypes, type Ref } from '@sluice/contracts';
import type { Envelope, Page } from '@sluice/service-kit';
import type { Database } from '../../database.ts';
import { removeTenant, takesEntries } from '../deleted-tenants/deleted-tenants.service.ts';
import * as store from './entries.store.ts';

type EventType = (typeof eventTypes)[keyof typeof eventTypes];
const knownTypes = new Map<string, EventType>(Object.entries(eventTypes));

/** An entry of the audit log (interface, 2.16). */
export interface Entry {
  type: string;
  name: string;
  author: Ref | null;
  user: Ref | null;
  division: Ref | null;
  environment: Ref | null;
  deployment: Ref | null;
  api_key: Ref | null;
  data: unknown;
  correlation_id: string | null;
  timestamp: string;
}

/** The types of event that are recorded, with their labels. */
export function auditTypes(): { type: string; name: string }[] {
  return [...knownTypes].filter(([, { audit }]) => audit).map(([type, { name }]) => ({ type, name }));
}

export function isAuditType(type: string): boolean {
  return knownTypes.get(type)?.audit === true;
}

/**
 * Records an event; the deletion of a tenant removes its entries instead. A type that is not in the table comes from a newer version of another service, during an
 * upgrade: it is recorded as it is, since no entry may be missing.
 * @param position of the event in its stream
 * @throws ZodError when the event does not have the shape of its type
 */
export async function recordEvent(database: Database, message: Envelope, position: number): Promise<void> {
  const event = eventSchema.parse(message);
  const known = knownTypes.get(event.type);
  if (known?.audit === false) return;
  known?.data.parse(event.data);
  if (event.type === 'tenant_deleted') return await removeTenant(database, event.tenant_id);
  if (!(await takesEntries(database, event.tenant_id))) return;
  const { author, user, division, environment, deployment, api_key } = event;
  await store.add(database, {
    event_id: event.id,
    sequence: position,
    tenant_id: event.tenant_id,
    type: event.type,
    author_id: author?.id ?? null,
    author_name: author?.name ?? null,
    user_id: user?.id ?? null,
    user_name: user?.name ?? null,
    division_id: division?.id ?? null,
    division_name: division?.name ?? null,
    environment_id: environment?.id ?? null,
    environment_name: environment?.name ?? null,
    deployment_id: deployment?.id ?? null,
    deployment_name: deployment?.name ?? null,
    api_key_id: api_key?.id ?? null,
    api_key_name: api_key?.name ?? null,
    data: JSON.stringify(event.data ?? null),
    correlation_id: event.correlation_id,
    occurred_at: new Date(event.occurred_at),
  });
}

/** One page of the entries that satisfy the filter, newest first, and how many there are in all. */
export async function listEntries(
  database: Database,
  filter: store.EntryFilter,
  page: Page,
): Promise<{ entries: Entry[]; total: number }> {
  const { author, user, division, environment, deployment } = filter;
  const ids = [author, user, division, environment, deployment].filter((id) => id !== undefined);
  // a number beyond all ids names nothing, and the database could not even compare it
  if (!ids.every(Number.isSafeInteger)) return { entries: [], total: 0 };
  // one snapshot for both statements
  const reading = database.transaction().setIsolationLevel('repeatable read').setAccessMode('read only');
  return reading.execute(async (db) => {
    const total = await store.count(db, filter);
    const rows = await store.pageOfEntries(db, filter, page).execute();
    return { entries: rows.map(entryOf), total };
  });
}

function entryOf(row: store.StoredEntry): Entry {
  return {
    type: row.type,
    name: knownTypes.get(row.type)?.name ?? row.type,
    author: refOf(row.author_id, row.author_name),
    user: refOf(row.user_id, row.user_name),
    division: refOf(row.division_id, row.division_name),
    environment: refOf(row.environment_id, row.environment_name),
    deployment: refOf(row.deployment_id, row.deployment_name),
    api_key: refOf(row.api_key_id, row.api_key_name),
    data: row.data,
    correlation_id: row.correlation_id,
    timestamp: row.occurred_at.toISOString(),
  };
}

const refOf = (id: number | null, name: string | null): Ref | null =>
  id === null || name === null ? null : { id, name };
