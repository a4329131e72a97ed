import type { TenantId } from '@sluice/contracts';
import type { Sql } from '@sluice/service';
import type { EntryFilter } from './log-filter.ts';

/** entries that are counted together */
export const blockSize = 1_000;

/** What the Audit API filters by, beside the time, and where it stands in an entry. */
const columns = {
  type: 'type',
  author: 'author_id',
  user: 'user_id',
  division: 'division_id',
  environment: 'environment_id',
  deployment: 'deployment_id',
} as const;
const dimensions = Object.entries(columns);

/** Tenants of whose logs a thousand or more are not counted. */
export async function uncountedTenants(sql: Sql, limit: number): Promise<TenantId[]> {
  const rows = await sql.query<{ tenant_id: TenantId }>(
    `SELECT tenant_id FROM log_heads LEFT JOIN log_counted USING (tenant_id)
     WHERE log_heads.seq - coalesce(log_counted.seq, 0) >= $1 LIMIT $2`,
    [blockSize, limit],
  );
  return rows.map(({ tenant_id }) => tenant_id);
}

/**
 * Counts the next thousand of a tenant's log, unless another replica does.
 * @returns whether there was one
 */
export async function countNext(sql: Sql, tenant: TenantId): Promise<boolean> {
  await sql.query('INSERT INTO log_counted (tenant_id, seq) VALUES ($1, 0) ON CONFLICT DO NOTHING', [tenant]);
  const [counted] = await sql.query<{ seq: number }>(
    `SELECT seq FROM log_counted WHERE tenant_id = $1
       AND seq + $2 <= (SELECT seq FROM log_heads WHERE tenant_id = $1) FOR UPDATE SKIP LOCKED`,
    [tenant, blockSize],
  );
  if (!counted) return false;
  const values = dimensions.map(([dimension, column]) => `('${dimension}', ${column}::text)`).join(', ');
  await sql.query(
    `INSERT INTO log_counts (tenant_id, dimension, value, first_seq, entries, oldest, newest)
     SELECT $1::bigint, dimension, value, $2::bigint + 1, count(*), min(occurred_at), max(occurred_at)
     FROM log_entries, LATERAL (VALUES ('all', ''), ${values}) AS counted (dimension, value)
     WHERE tenant_id = $1 AND seq > $2::bigint AND seq <= $2::bigint + $3::bigint AND value IS NOT NULL
     GROUP BY dimension, value`,
    [tenant, counted.seq, blockSize],
  );
  await sql.query('UPDATE log_counted SET seq = seq + $2 WHERE tenant_id = $1', [tenant, blockSize]);
  return true;
}

/** Forgets the counts of entries that are gone. @returns how many rows */
export async function deleteCountsOfGone(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    `WITH gone AS (
       DELETE FROM log_counts USING log_anchors
       WHERE log_anchors.tenant_id = log_counts.tenant_id AND first_seq + $1 - 1 <= log_anchors.seq RETURNING 1)
     SELECT count(*) FROM gone`,
    [blockSize],
  );
  return row?.count ?? 0;
}

/** What is counted of the entries that a filter matches: those of one value, or of several types. */
interface Counted {
  dimension: string;
  values: string[];
  /** of an entry, as text; undefined: any */
  column: string | undefined;
}

/** @returns undefined for what is not counted: several filters at the same time, and the entries of a request */
function countedOf(filter: EntryFilter): Counted | undefined {
  if (filter.correlationId !== undefined) return undefined;
  const given: Counted[] = [];
  if (filter.types) given.push({ dimension: 'type', values: [...new Set(filter.types)], column: 'type' });
  for (const subject of ['author', 'user', 'division', 'environment', 'deployment'] as const) {
    const id = filter[subject];
    if (id !== undefined)
      given.push({ dimension: subject, values: [String(id)], column: `${columns[subject]}::text` });
  }
  if (given.length > 1) return undefined;
  return given[0] ?? { dimension: 'all', values: [''], column: undefined };
}

/** The counts of thousands that have a part in a filter, and those of them that lie in its time as a whole. */
const blocks = `
  blocks AS (
    SELECT first_seq, value, entries, newest,
      ($4::timestamptz IS NULL OR oldest >= $4) AND ($5::timestamptz IS NULL OR newest < $5) AS whole
    FROM log_counts
    WHERE tenant_id = $1 AND dimension = $2 AND value = ANY ($3::text[])
      AND ($4::timestamptz IS NULL OR newest >= $4) AND ($5::timestamptz IS NULL OR oldest < $5)),
  ends AS (
    SELECT coalesce((SELECT seq FROM log_counted WHERE tenant_id = $1), 0) AS counted,
      coalesce((SELECT seq FROM log_heads WHERE tenant_id = $1), 0) AS head)`;

const inTime =
  '($4::timestamptz IS NULL OR occurred_at >= $4) AND ($5::timestamptz IS NULL OR occurred_at < $5)';

/**
 * A stretch of the log, read off the primary key: the order and the limit say how short it is, without which PostgreSQL reads all
 * that the tenant has in an index that is smaller.
 */
const stretch = (after: string, upTo: string, length: string | number) =>
  `LATERAL (SELECT * FROM log_entries WHERE tenant_id = $1 AND seq > ${after} AND seq <= ${upTo}
     ORDER BY seq LIMIT ${length}) AS entry`;

/** How many entries of the last thousands, which are not counted yet, match. */
const tail = ({ column }: Counted) =>
  `SELECT count(*) AS entries FROM ends, ${stretch('ends.counted', 'ends.head', 'greatest(ends.head - ends.counted, 0)')}
   WHERE ${column ? `${column} = ANY ($3::text[])` : 'true'} AND ${inTime}`;

const parameters = ({ tenant, from = undefined, to = undefined }: EntryFilter, counted: Counted) => [
  ...[tenant, counted.dimension, counted.values],
  ...[from ?? null, to ?? null],
];

/**
 * How many entries match, from the counts.
 * @returns undefined where that is not counted
 */
export async function countedTotal(sql: Sql, filter: EntryFilter): Promise<number | undefined> {
  const counted = countedOf(filter);
  if (!counted) return undefined;
  const { column } = counted;
  const [row] = await sql.query<{ total: number }>(
    `WITH ${blocks},
     partly AS (
       SELECT count(*) AS entries FROM blocks, ${stretch('first_seq - 1', `first_seq + ${blockSize - 1}`, blockSize)}
       WHERE NOT whole AND ${column ? `${column} = blocks.value` : 'true'} AND ${inTime})
     SELECT (SELECT coalesce(sum(entries), 0)::bigint FROM blocks WHERE whole) + (SELECT entries FROM partly)
       + (${tail(counted)}) AS total`,
    parameters(filter, counted),
  );
  return row?.total ?? 0;
}

/**
 * A time after which there are at most so many entries that match, and not many fewer.
 * @returns undefined where there is none, or it is not counted
 */
export async function timeBefore(sql: Sql, filter: EntryFilter, most: number): Promise<Date | undefined> {
  const counted = countedOf(filter);
  if (!counted) return undefined;
  const [row] = await sql.query<{ time: Date | null }>(
    `WITH ${blocks}, tail AS (${tail(counted)})
     SELECT min(newest) AS time FROM (
       SELECT newest, coalesce(sum(entries) OVER (
         ORDER BY newest DESC, first_seq DESC, value ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
       FROM blocks) AS ordered
     WHERE before + (SELECT entries FROM tail) <= $6`,
    [...parameters(filter, counted), most],
  );
  return row?.time ?? undefined;
}
