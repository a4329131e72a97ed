import type { Page } from '@sluice/service-kit';
import type { Insertable, JSONColumnType, Selectable } from 'kysely';
import type { Database } from '../../database.ts';

export interface EntriesTable {
  event_id: string;
  sequence: number;
  tenant_id: number;
  type: string;
  author_id: number | null;
  author_name: string | null;
  user_id: number | null;
  user_name: string | null;
  division_id: number | null;
  division_name: string | null;
  environment_id: number | null;
  environment_name: string | null;
  deployment_id: number | null;
  deployment_name: string | null;
  api_key_id: number | null;
  api_key_name: string | null;
  data: JSONColumnType<object | null>;
  correlation_id: string | null;
  occurred_at: Date;
}
export type NewEntry = Insertable<EntriesTable>;
export type StoredEntry = Selectable<EntriesTable>;

/** What entries are looked for; absent: whatever it may be. */
export interface EntryFilter {
  tenant: number;
  /** included */
  from?: Date | undefined;
  /** not included */
  to?: Date | undefined;
  author?: number | undefined;
  user?: number | undefined;
  division?: number | undefined;
  environment?: number | undefined;
  deployment?: number | undefined;
  types?: readonly string[] | undefined;
  correlationId?: string | undefined;
}

/** Adds an entry; one of an event that already has its entry is dropped. */
export async function add(database: Database, entry: NewEntry): Promise<void> {
  await database
    .insertInto('entries')
    .values(entry)
    .onConflict((conflict) => conflict.column('event_id').doNothing())
    .execute();
}

/** The statement of one page, newest first; each filter has its index (migration 001). */
export function pageOfEntries(database: Database, filter: EntryFilter, { results, offset }: Page) {
  return matching(database, filter)
    .selectAll()
    .orderBy('occurred_at', 'desc')
    .orderBy('sequence', 'desc')
    .limit(results)
    .offset(offset);
}

export async function count(database: Database, filter: EntryFilter): Promise<number> {
  const { total } = await matching(database, filter)
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  return total;
}

function matching(database: Database, filter: EntryFilter) {
  let query = database.selectFrom('entries').where('tenant_id', '=', filter.tenant);
  for (const subject of ['author', 'user', 'division', 'environment', 'deployment'] as const) {
    const id = filter[subject];
    if (id !== undefined) query = query.where(`${subject}_id`, '=', id);
  }
  const { from, to, types, correlationId } = filter;
  if (from) query = query.where('occurred_at', '>=', from);
  if (to) query = query.where('occurred_at', '<', to);
  if (types) query = query.where('type', 'in', types);
  if (correlationId) query = query.where('correlation_id', '=', correlationId);
  return query;
}
