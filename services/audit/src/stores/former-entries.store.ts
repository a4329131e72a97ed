import type { Sql } from '@sluice/service-kit';
import type { Selectable } from 'kysely';
import type { Tables } from '../database/tables.ts';

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
 * Deletes some entries of deleted tenants whose time is over, from the table of the release before.
 * @returns how many
 */
export async function deleteEntriesOver(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql.query<{ deleted: number }>('SELECT delete_former_entries($1) AS deleted', [limit]);
  return row?.deleted ?? 0;
}
