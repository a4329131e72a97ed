import type { TenantId } from '@sluice/contracts';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../database/tables.ts';
import type { EntryFilter } from './entry-filter.ts';

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

/** Tenants of whose logs a thousand or more are not counted. */
export async function uncountedTenants(db: Database, limit: number): Promise<TenantId[]> {
  const rows = await db
    .selectFrom('log_heads')
    .leftJoin('log_counted', 'log_counted.tenant_id', 'log_heads.tenant_id')
    .select('log_heads.tenant_id')
    .where((of) =>
      of(of('log_heads.seq', '-', of.fn.coalesce('log_counted.seq', sql.lit(0))), '>=', blockSize),
    )
    .limit(limit)
    .execute();
  return rows.map(({ tenant_id }) => tenant_id);
}

/**
 * Counts the next thousand of a tenant's log, unless another replica does.
 * @returns whether there was one
 */
export async function countNext(db: Database, tenant: TenantId): Promise<boolean> {
  await db
    .insertInto('log_counted')
    .values({ tenant_id: tenant, seq: 0 })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const counted = await db
    .selectFrom('log_counted')
    .select('seq')
    .where('tenant_id', '=', tenant)
    .where((of) => {
      const head = of.selectFrom('log_heads').select('seq').where('tenant_id', '=', tenant);
      return of(of('seq', '+', blockSize), '<=', head);
    })
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  if (!counted) return false;
  const end = counted.seq + blockSize;
  const values = Object.entries(columns).map(
    ([dimension, column]) => sql`(${sql.lit(dimension)}, ${sql.ref(column)}::text)`,
  );
  // all dimensions in one pass over the entries (bench/src/audit.ts)
  await sql`
    INSERT INTO log_counts (tenant_id, dimension, value, first_seq, entries, oldest, newest)
    SELECT ${tenant}::bigint, dimension, value, ${counted.seq + 1}::bigint, count(*), min(occurred_at), max(occurred_at)
    FROM log_entries, LATERAL (VALUES ('all', ''), ${sql.join(values)}) AS counted (dimension, value)
    WHERE tenant_id = ${tenant} AND seq > ${counted.seq} AND seq <= ${end} AND value IS NOT NULL
    GROUP BY dimension, value`.execute(db);
  await db.updateTable('log_counted').set({ seq: end }).where('tenant_id', '=', tenant).execute();
  return true;
}

export async function deleteCountsOfGone(db: Database): Promise<void> {
  await db
    .deleteFrom('log_counts')
    .using('log_anchors')
    .whereRef('log_anchors.tenant_id', '=', 'log_counts.tenant_id')
    .where((of) => of(of('first_seq', '+', blockSize - 1), '<=', of.ref('log_anchors.seq')))
    .execute();
}

/** What is counted of the entries that a filter matches: those of one value, or of several types. */
interface Counted {
  dimension: string;
  values: string[];
  /** of an entry, as text; undefined: any */
  column: RawBuilder<unknown> | undefined;
}

/** @returns undefined for what is not counted: several filters at the same time, the entries of a request, and a search */
function countedOf(filter: EntryFilter): Counted | undefined {
  if (filter.correlationId !== undefined || filter.search !== undefined) return undefined;
  const given: Counted[] = [];
  for (const [dimension, name] of Object.entries(columns)) {
    const column = sql`${sql.ref(name)}::text`;
    const value =
      dimension === 'type' ? filter.types : filter[dimension as Exclude<keyof typeof columns, 'type'>];
    if (value === undefined) continue;
    const values = typeof value === 'number' ? [String(value)] : [...new Set(value)];
    given.push({ dimension, values, column });
  }
  if (given.length > 1) return undefined;
  return given[0] ?? { dimension: 'all', values: [''], column: undefined };
}

/*
 * The statements below are text: the planner reads the stretches off the primary key only in this form, and bench/src/audit.ts measures
 * pages and totals by them.
 */

function partsOf({ tenant, from = undefined, to = undefined }: EntryFilter, counted: Counted) {
  const { dimension, values, column } = counted;
  const [begin, end] = [sql`${from ?? null}::timestamptz`, sql`${to ?? null}::timestamptz`];
  const inTime = sql`(${begin} IS NULL OR occurred_at >= ${begin}) AND (${end} IS NULL OR occurred_at < ${end})`;
  /** The order and the limit say how short it is, without which PostgreSQL reads all that the tenant has in an index that is smaller. */
  const stretch = (after: RawBuilder<unknown>, upTo: RawBuilder<unknown>, length: RawBuilder<unknown>) =>
    sql`LATERAL (SELECT * FROM log_entries WHERE tenant_id = ${tenant} AND seq > ${after} AND seq <= ${upTo}
      ORDER BY seq LIMIT ${length}) AS entry`;
  return {
    /** The counts of thousands that have a part in a filter, and those of them that lie in its time as a whole. */
    blocks: sql`
      blocks AS (
        SELECT first_seq, value, entries, newest,
          (${begin} IS NULL OR oldest >= ${begin}) AND (${end} IS NULL OR newest < ${end}) AS whole
        FROM log_counts
        WHERE tenant_id = ${tenant} AND dimension = ${dimension} AND value = ANY (${values}::text[])
          AND (${begin} IS NULL OR newest >= ${begin}) AND (${end} IS NULL OR oldest < ${end})),
      ends AS (
        SELECT coalesce((SELECT seq FROM log_counted WHERE tenant_id = ${tenant}), 0) AS counted,
          coalesce((SELECT seq FROM log_heads WHERE tenant_id = ${tenant}), 0) AS head)`,
    /** How many entries match of the thousands that lie in its time in part. */
    partly: sql`
      SELECT count(*) AS entries
      FROM blocks, ${stretch(sql`first_seq - 1`, sql`first_seq + ${sql.lit(blockSize - 1)}`, sql.lit(blockSize))}
      WHERE NOT whole AND ${column ? sql`${column} = blocks.value` : sql`true`} AND ${inTime}`,
    /** How many entries of the last thousands, which are not counted yet, match. */
    tail: sql`
      SELECT count(*) AS entries
      FROM ends, ${stretch(sql`ends.counted`, sql`ends.head`, sql`greatest(ends.head - ends.counted, 0)`)}
      WHERE ${column ? sql`${column} = ANY (${values}::text[])` : sql`true`} AND ${inTime}`,
  };
}

/**
 * How many entries match, from the counts.
 * @returns undefined where that is not counted
 */
export async function countedTotal(db: Database, filter: EntryFilter): Promise<number | undefined> {
  const counted = countedOf(filter);
  if (!counted) return undefined;
  const { blocks, partly, tail } = partsOf(filter, counted);
  const { rows } = await sql<{ total: number }>`
    WITH ${blocks}, partly AS (${partly})
    SELECT (SELECT coalesce(sum(entries), 0)::bigint FROM blocks WHERE whole) + (SELECT entries FROM partly)
      + (${tail}) AS total`.execute(db);
  return rows[0]?.total ?? 0;
}

/**
 * A time after which there are at most so many entries that match, and not many fewer.
 * @returns undefined where there is none, or it is not counted
 */
export async function timeBefore(db: Database, filter: EntryFilter, most: number): Promise<Date | undefined> {
  const counted = countedOf(filter);
  if (!counted) return undefined;
  const { blocks, tail } = partsOf(filter, counted);
  const { rows } = await sql<{ time: Date | null }>`
    WITH ${blocks}, tail AS (${tail})
    SELECT min(newest) AS time FROM (
      SELECT newest, coalesce(sum(entries) OVER (
        ORDER BY newest DESC, first_seq DESC, value ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS before
      FROM blocks) AS ordered
    WHERE before + (SELECT entries FROM tail) <= ${most}`.execute(db);
  return rows[0]?.time ?? undefined;
}
