import { centSecondsPerDollar, costParts, firstOfMonth, statusesThatAre } from '@sluice/contracts';
import type { Sql } from '@sluice/service';
import { untilDone } from './until-done.ts';

/** What deployments cost and why, in main-api's database. Months are of the calendar (UTC), by their first moments. */

export interface Interval {
  started_at: Date;
  ended_at: Date;
  seconds: string;
  tier: string;
  nodes: number;
  storage_type: string;
  storage_size: number | null;
  price_list: number | null;
  monthly_usd: string;
  amount_usd: string;
}

const cents = costParts.map((part) => `u.${part}`).join(' + ');

/** The intervals behind a deployment's month: each with its shape, list, seconds and amount. */
export async function explainUsage(
  sql: Sql,
  id: number,
  from: Date,
): Promise<{ intervals: Interval[]; total_usd: string }> {
  const to = firstOfMonth(from, 1);
  const intervals = await sql.query<Interval>(
    `SELECT started_at, ended_at, extract(epoch FROM ended_at - started_at) AS seconds, tier, nodes, storage_type,
       storage_size, price_list, round((${cents}) / 100.0, 2) AS monthly_usd,
       round(extract(epoch FROM ended_at - started_at) * (${cents}) / ${centSecondsPerDollar}, 10) AS amount_usd
     FROM billed_deployments b JOIN usage_intervals u ON u.billed_id = b.id
     WHERE b.deployment_id = $1 AND started_at >= $2 AND started_at < $3 ORDER BY b.id, started_at`,
    [id, from, to],
  );
  const [sum] = await sql.query<{ total_usd: string }>(
    `SELECT coalesce(sum(total), 0)::numeric(30, 2) AS total_usd FROM (
       SELECT round(sum(extract(epoch FROM ended_at - started_at) * (${cents})) / ${centSecondsPerDollar}, 2) AS total
       FROM billed_deployments b JOIN usage_intervals u ON u.billed_id = b.id
       WHERE b.deployment_id = $1 AND started_at >= $2 AND started_at < $3 GROUP BY b.id) deployments`,
    [id, from, to],
  );
  return { intervals, total_usd: sum?.total_usd ?? '0.00' };
}

export interface Gap {
  deployment_id: number | null;
  deployment_uid: string;
  tenant_id: number | null;
  place: string;
  started_at: Date;
  ended_at: Date;
}

/** regions report once an hour */
const behind = "interval '2 hours'";

export interface Reconciled {
  /** regions that are behind; null: one has not said until when it has reported */
  regions: { place: string; usage_to: Date | null }[];
  gaps: Gap[];
  /** deployments whose usage is asked for again */
  requested: number;
}

/** Compares the statuses of deployments with their usage of a month, and has regions report what is missing again. */
export async function reconcileUsage(sql: Sql, from: Date, isDry: boolean): Promise<Reconciled> {
  const regions = await sql.query<Reconciled['regions'][number]>(
    `SELECT cloud || '/' || region AS place, usage_to FROM regions
     WHERE usage_to IS NULL OR usage_to < now() - ${behind} ORDER BY 1`,
  );
  const gaps = await sql.query<Gap>(
    `SELECT d.id AS deployment_id, g.deployment_uid, coalesce(d.tenant_id, b.tenant_id) AS tenant_id,
       coalesce(d.cloud || '/' || d.region, b.cloud || '/' || b.region, 'gone') AS place, g.started_at, g.ended_at
     FROM usage_gaps($1, $2, least($3::timestamptz, now() - ${behind})) g
     LEFT JOIN deployments d ON d.uid = g.deployment_uid LEFT JOIN billed_deployments b ON b.uid = g.deployment_uid
     ORDER BY g.deployment_uid, g.started_at LIMIT 10000`,
    [statusesThatAre('billable'), from, firstOfMonth(from, 1)],
  );
  const here = [...new Set(gaps.flatMap(({ deployment_id }) => deployment_id ?? []))];
  if (!isDry && here.length > 0) await request(sql, here);
  return { regions, gaps, requested: here.length };
}

async function request(sql: Sql, ids: readonly number[]): Promise<void> {
  await sql.query(
    'INSERT INTO usage_requests (deployment_id) SELECT unnest($1::bigint[]) ON CONFLICT DO NOTHING',
    [ids],
  );
  await sql.query("SELECT pg_notify('usage_requests', '')");
  await untilDone(
    () => sql.query('SELECT FROM usage_requests WHERE deployment_id = ANY ($1)', [ids]),
    (waiting) => waiting.length === 0,
  );
}
