import { costParts, statusesThatAre } from '@sluice/contracts';
import type { Sql } from '@sluice/service';
import { numbersOf, type AskedOf } from './arguments.ts';
import { diffPrices, publishPrices } from './billing-prices.ts';
import { alignedRows } from './table.ts';
import { untilDone } from './until-done.ts';
import { UsageError } from './usage.ts';

/** What deployments cost and why, in main-api's database. */
export async function ofBilling(sql: Sql, asked: AskedOf<'billing'>): Promise<string> {
  if (asked.action === 'explain') return await explain(sql, asked);
  if (asked.action === 'reconcile') return await reconcile(sql, asked);
  const [what, ...more] = asked.names;
  if (more.length > 0) throw new UsageError(`'billing prices ${what}' takes no '${more[0]}'.`);
  if (what === 'publish') return await publishPrices(sql, asked);
  if (what === 'diff') return await diffPrices(sql, asked);
  throw new UsageError("'billing prices' has publish and diff.");
}

interface Interval {
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
/** US cents a month of 730 hours times seconds that are a dollar */
const perDollar = 100 * 730 * 3600;

/** The intervals behind a deployment's month: each with its shape, list, seconds and amount. */
async function explain(sql: Sql, { names, month, json }: AskedOf<'billing'>): Promise<string> {
  const [id = 0] = numbersOf(names, 1);
  const from = month ?? firstOfMonth(new Date());
  const to = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1));
  const intervals = await sql.query<Interval>(
    `SELECT started_at, ended_at, extract(epoch FROM ended_at - started_at) AS seconds, tier, nodes, storage_type,
       storage_size, price_list, round((${cents}) / 100.0, 2) AS monthly_usd,
       round(extract(epoch FROM ended_at - started_at) * (${cents}) / ${perDollar}, 10) AS amount_usd
     FROM billed_deployments b JOIN usage_intervals u ON u.billed_id = b.id
     WHERE b.deployment_id = $1 AND started_at >= $2 AND started_at < $3 ORDER BY b.id, started_at`,
    [id, from, to],
  );
  const [sum] = await sql.query<{ total_usd: string }>(
    `SELECT coalesce(sum(total), 0)::numeric(30, 2) AS total_usd FROM (
       SELECT round(sum(extract(epoch FROM ended_at - started_at) * (${cents})) / ${perDollar}, 2) AS total
       FROM billed_deployments b JOIN usage_intervals u ON u.billed_id = b.id
       WHERE b.deployment_id = $1 AND started_at >= $2 AND started_at < $3 GROUP BY b.id) deployments`,
    [id, from, to],
  );
  if (json) return JSON.stringify({ intervals, ...sum }, null, 2);
  if (intervals.length === 0) return `Deployment ${id} has used nothing in ${monthText(from)}.`;
  const rows = intervals.map((one) => [
    one.started_at.toISOString(),
    one.ended_at.toISOString(),
    `${Number(one.seconds)} s`,
    `${one.tier} × ${one.nodes}`,
    `${one.storage_type}${one.storage_size === null ? '' : ` ${one.storage_size} GB`}`,
    one.price_list === null ? 'no list' : `list ${one.price_list}`,
    `$${one.monthly_usd} a month`,
    `$${one.amount_usd}`,
  ]);
  return [alignedRows(rows), `Deployment ${id} has cost $${sum?.total_usd} in ${monthText(from)}.`].join('\n');
}

const firstOfMonth = (time: Date) => new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth()));
const monthText = (time: Date) => time.toISOString().slice(0, 'yyyy-mm'.length);

interface Gap {
  deployment_id: number | null;
  deployment_uid: string;
  tenant_id: number | null;
  place: string;
  started_at: Date;
  ended_at: Date;
}

/** regions report once an hour */
const behind = "interval '2 hours'";

/** Compares the statuses of deployments with their usage, and has regions report what is missing again. */
async function reconcile(sql: Sql, { names, month, dryRun, json }: AskedOf<'billing'>): Promise<string> {
  if (names.length > 0) throw new UsageError(`'reconcile' takes no '${names[0]}'.`);
  const from = month ?? firstOfMonth(new Date());
  const end = new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + 1));
  const regions = await sql.query<{ place: string; usage_to: Date | null }>(
    `SELECT cloud || '/' || region AS place, usage_to FROM regions
     WHERE usage_to IS NULL OR usage_to < now() - ${behind} ORDER BY 1`,
  );
  const gaps = await sql.query<Gap>(
    `SELECT d.id AS deployment_id, g.deployment_uid, coalesce(d.tenant_id, b.tenant_id) AS tenant_id,
       coalesce(d.cloud || '/' || d.region, b.cloud || '/' || b.region, 'gone') AS place, g.started_at, g.ended_at
     FROM usage_gaps($1, $2, least($3::timestamptz, now() - ${behind})) g
     LEFT JOIN deployments d ON d.uid = g.deployment_uid LEFT JOIN billed_deployments b ON b.uid = g.deployment_uid
     ORDER BY g.deployment_uid, g.started_at LIMIT 10000`,
    [statusesThatAre('billable'), from, end],
  );
  const here = [...new Set(gaps.flatMap(({ deployment_id }) => deployment_id ?? []))];
  if (!dryRun && here.length > 0) await request(sql, here);
  if (json) return JSON.stringify({ regions, gaps }, null, 2);
  const done = dryRun ? 'would be asked for again' : 'is asked for again';
  return [
    ...regions.map(({ place, usage_to }) => `${place} has reported usage until ${usage_to?.toISOString() ?? 'no time'}.`),
    ...(gaps.length === 0 ? [`Nothing is missing in ${monthText(from)}.`] : [alignedRows(gaps.map(rowOf))]),
    ...(here.length === 0 ? [] : [`Usage of ${here.length} deployments ${done}.`]),
    ...(gaps.some(({ deployment_id }) => deployment_id === null)
      ? ['Deployments that are gone are not asked for: their regions have reported them with their deletion.']
      : []),
  ].join('\n');
}

const rowOf = ({ deployment_id, deployment_uid, tenant_id, place, started_at, ended_at }: Gap) => [
  place,
  `tenant ${tenant_id ?? 'gone'}`,
  deployment_id === null ? `deployment ${deployment_uid}, gone` : `deployment ${deployment_id}`,
  `${started_at.toISOString()} to ${ended_at.toISOString()}`,
];

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
