import type { Sql } from '@sluice/service-kit';
import type { Selectable } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';

/** `entries` and `former_entries`, which the release before writes. */
export type FormerEntry = Selectable<Tables['entries']>;

/**
 * Entries of the release before that the log does not have yet, by tenant and as they happened; they do not come again. Only one
 * replica at a time gets some.
 */
export async function takeFormerEntries(sql: Sql, limit: number): Promise<FormerEntry[]> {
  const [lock] = await sql.query<{ mine: boolean }>(
    "SELECT pg_try_advisory_xact_lock(hashtext('former_entries')) AS mine",
  );
  if (!lock?.mine) return [];
  return await sql.query<FormerEntry>(
    `WITH taken AS (
       SELECT * FROM former_entries ORDER BY tenant_id, occurred_at, sequence, event_id LIMIT $1),
     gone AS (
       DELETE FROM former_entries USING taken WHERE (former_entries.*) = (taken.*))
     SELECT entries.* FROM taken JOIN entries USING (event_id)
     ORDER BY tenant_id, entries.occurred_at, entries.sequence, event_id`,
    [limit],
  );
}

export async function areFormerEntries(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ some: boolean }>('SELECT EXISTS (SELECT FROM former_entries) AS some');
  return row?.some === true;
}

/**
 * Deletes some entries of deleted tenants that were to be kept until then at most, from the table of the release before.
 * @returns how many
 */
export async function deleteEntriesKeptUntil(db: Database, now: Date, limit: number): Promise<number> {
  const over = await db
    .selectFrom('entries')
    .innerJoin('deleted_tenants', 'deleted_tenants.tenant_id', 'entries.tenant_id')
    .where('deleted_tenants.keep_until', '<=', now)
    .select('entries.event_id')
    .limit(limit)
    .execute();
  // nothing is locked for nothing
  if (over.length === 0) return 0;
  const ids = over.map(({ event_id }) => event_id);
  const { numDeletedRows } = await db.deleteFrom('entries').where('event_id', 'in', ids).executeTakeFirst();
  return Number(numDeletedRows);
}
