import type { TenantId } from '@sluice/contracts';
import type { Page, Sql } from '@sluice/service-kit';
import type { Selectable } from 'kysely';
import type { Tables } from '../database/tables.ts';
import type { Entry, Found } from './entries.store.ts';
import type { EntryFilter } from './log-filter.ts';

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
       DELETE FROM former_entries AS former USING taken
       WHERE former.tenant_id = taken.tenant_id AND former.occurred_at = taken.occurred_at
         AND former.sequence = taken.sequence AND former.event_id = taken.event_id)
     SELECT entries.* FROM taken JOIN entries USING (event_id)
     ORDER BY tenant_id, entries.occurred_at, entries.sequence, event_id`,
    [limit],
  );
}

/** Whether there are entries that the log does not have yet. */
export async function areFormerEntries(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ some: boolean }>('SELECT EXISTS (SELECT FROM former_entries) AS some');
  return row?.some === true;
}

/** Whether there are entries of this tenant that its log does not have yet. */
export async function areFormerEntriesOf(sql: Sql, tenant: TenantId): Promise<boolean> {
  const [row] = await sql.query<{ some: boolean }>(
    'SELECT EXISTS (SELECT FROM former_entries WHERE tenant_id = $1) AS some',
    [tenant],
  );
  return row?.some === true;
}

const names = ['author', 'user', 'division', 'environment', 'deployment', 'api_key']
  .map((ref) => `${ref}_id, ${ref}_name`)
  .join(', ');
const columns = `tenant_id, event_id, type, ${names}, data, as_sent, correlation_id, occurred_at`;
const comparisons = {
  from: 'occurred_at >=',
  to: 'occurred_at <',
  author: 'author_id =',
  user: 'user_id =',
  division: 'division_id =',
  environment: 'environment_id =',
  deployment: 'deployment_id =',
  types: 'type = ANY',
  correlationId: 'correlation_id =',
} satisfies Record<Exclude<keyof EntryFilter, 'tenant'>, string>;

/**
 * One page of what is in the log and of what it does not have yet, newest first: in one statement, so that what is taken over meanwhile is
 * there once. All that match are counted, which takes longer the more there are.
 * @param unaudited types that the release before has recorded, and the log does not
 */
export async function findWithFormerEntries(
  sql: Sql,
  filter: EntryFilter,
  { results, offset }: Pick<Page, 'results' | 'offset'>,
  unaudited: readonly string[],
): Promise<Found> {
  const values: unknown[] = [filter.tenant, results, offset, unaudited];
  const conditions = ['tenant_id = $1'];
  for (const [field, comparison] of Object.entries(comparisons) as [keyof typeof comparisons, string][])
    if (filter[field] !== undefined) conditions.push(`${comparison} ($${values.push(filter[field])})`);
  const logged = `log_entries WHERE ${conditions.join(' AND ')}`;
  const awaited = `entries WHERE ${conditions.join(' AND ')} AND type <> ALL ($4::text[]) AND EXISTS (
    SELECT FROM former_entries AS former
    WHERE former.tenant_id = entries.tenant_id AND former.occurred_at = entries.occurred_at
      AND former.sequence = entries.sequence AND former.event_id = entries.event_id)`;
  const rows = await sql.query<Entry & { total: number; closed: boolean }>(
    `SELECT page.*, (SELECT count(*) FROM ${logged}) + (SELECT count(*) FROM ${awaited}) AS total,
       EXISTS (SELECT FROM deleted_tenants WHERE tenant_id = $1) AS closed
     FROM (VALUES (1)) AS one LEFT JOIN (
       (SELECT ${columns}, position, seq FROM ${logged}
        ORDER BY occurred_at DESC, position DESC, seq DESC LIMIT $2::bigint + $3::bigint)
       UNION ALL
       (SELECT ${columns}, sequence, 0 FROM ${awaited} ORDER BY occurred_at DESC, sequence DESC LIMIT $2::bigint + $3::bigint)
       ORDER BY occurred_at DESC, position DESC, seq DESC LIMIT $2 OFFSET $3) AS page ON true
     ORDER BY occurred_at DESC, position DESC, seq DESC`,
    values,
  );
  const { total = 0, closed = false } = rows[0] ?? {};
  // where the page is empty, all of its one row is null
  const isEntry = ({ event_id }: { event_id: string | null }) => event_id !== null;
  return { entries: rows.filter(isEntry), total, closed };
}

/**
 * Deletes some entries of deleted tenants whose time is over, from the table of the release before.
 * @returns how many
 */
export async function deleteEntriesOver(sql: Sql, limit: number): Promise<number> {
  const [row] = await sql.query<{ deleted: number }>('SELECT delete_former_entries($1) AS deleted', [limit]);
  return row?.deleted ?? 0;
}
