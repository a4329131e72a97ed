import {
  centSecondsPerDollar,
  costParts,
  type CostPart,
  type DeploymentId,
  type DivisionId,
  type EnvironmentId,
  type TenantId,
} from '@sluice/contracts';
import type { Page } from '@sluice/http';
import type { Database } from '@sluice/main-store/database';
import { jsonb, table, text, time, uuid } from '@sluice/main-store/columns';
import { countRows } from '@sluice/main-store/rows';
import type { BilledDeploymentRow } from './usage-intervals.store.ts';

/** The labels that a deployment had from a time on, as a trigger keeps them. */
table('deployment_labels', {
  deployment_uid: uuid({ primary: true }),
  valid_from: time({ primary: true }),
  valid_to: time(),
  labels: jsonb(),
});
/** The statuses of deployments as they became known, as a trigger keeps them: by these usage is missed. */
table('deployment_statuses', {
  deployment_uid: uuid({ primary: true }),
  changed_at: time({ primary: true }),
  status: text(),
  tier: text(),
});

export type Granularity = 'hour' | 'day' | 'month';
export type Group = 'division' | 'environment' | 'deployment';
/** A label by its key. */
interface LabelGroup {
  label: string;
}

/**
 * Seconds, and for each part of the price US cents a month times seconds: exact decimals, as text.
 */
export type Sums = Record<'seconds' | CostPart, string>;

/** of whole milliseconds: PostgreSQL adds up integers four times as fast as decimals, as exactly, and a month at the highest price fits */
const sums = `0.001 * sum(ms) AS seconds, ${costParts.map((part) => `0.001 * sum(ms * u.${part}) AS ${part}`).join(', ')}`;

/**
 * Usage of $1, from $2 to $3: no interval is longer than a month. With OFFSET it is read by its primary key, deployment by deployment: the planner
 * takes all tenants for equally large, and reads the whole table for one with many deployments (bench:billing).
 */
const source = `billed_deployments b CROSS JOIN LATERAL (
    SELECT * FROM usage_intervals WHERE billed_id = b.id AND started_at < $3
      AND started_at > $2::timestamptz - interval '32 days' AND ended_at > $2 OFFSET 0) u`;
/** the labels of each part of an interval */
export const labelledUsage = `${source} LEFT JOIN deployment_labels l ON l.deployment_uid = b.uid
    AND l.valid_from < u.ended_at AND l.valid_to > u.started_at`;
/** `seconds`, exactly, and `ms`: no time that usage is looked at by is more exact than that. OFFSET 0 has them computed once for all sums (bench:billing). */
export const secondsWithin = (from: string, to: string) =>
  `LATERAL (SELECT least(u.ended_at, ${to}) - greatest(u.started_at, ${from}) AS time) within,
   LATERAL (SELECT extract(epoch FROM time) AS seconds, (1000 * date_part('epoch', time))::bigint AS ms OFFSET 0) span`;

export interface Span {
  from: Date;
  to: Date;
}

const steps: Record<Granularity, string> = {
  hour: `interval '1 hour'`,
  day: `interval '24 hours'`,
  // an interval is within one month
  month: `interval '32 days'`,
};

const groups: Record<Group, [id: string, name: string]> = {
  division: ['b.division_id', 'max(b.division_name)'],
  environment: ['b.environment_id', 'max(b.environment_name)'],
  deployment: ['b.deployment_id', 'max(b.name)'],
};

/** `id` is null where it is about a label, `name` where a deployment has none of the key. */
export type UsageLine = Sums & { start: Date; id: number | null; name: string | null };

/** What a tenant has used, by hours, days or months (UTC) and groups, in their order; at most `limit` lines. */
export function listUsageLines(
  db: Database,
  tenantId: TenantId,
  { from, to }: Span,
  { granularity, group }: { granularity: Granularity; group: Group | LabelGroup | undefined },
  limit: number,
): Promise<UsageLine[]> {
  const label = typeof group === 'object' ? [group.label] : [];
  const [id, name] = typeof group === 'string' ? groups[group] : ['NULL::bigint', 'NULL::text'];
  const step = steps[granularity];
  const starts = `generate_series(
    date_trunc('${granularity}', greatest(u.started_at, $2), 'UTC'),
    least(u.ended_at, $3) - interval '1 microsecond', ${step}) AS start`;
  if (label.length > 0)
    return db.query<UsageLine>(
      `SELECT start, ${id} AS id, l.labels ->> $5 AS name, ${sums}
       FROM ${labelledUsage}, ${starts},
         ${secondsWithin('greatest(start, $2, l.valid_from)', `least(start + ${step}, $3, l.valid_to)`)}
       WHERE b.tenant_id = $1 AND seconds > 0 GROUP BY start, l.labels ->> $5
       ORDER BY start, l.labels ->> $5 LIMIT $4`,
      [tenantId, from, to, limit, ...label],
    );
  return db.query<UsageLine>(
    `SELECT start, ${id} AS id, ${name} AS name, ${sums}
     FROM ${source}, ${starts}, ${secondsWithin('greatest(start, $2)', `least(start + ${step}, $3)`)}
     WHERE b.tenant_id = $1 GROUP BY start, ${id} ORDER BY start, ${id} LIMIT $4`,
    [tenantId, from, to, limit],
  );
}

export type DeploymentUsage = Sums & BilledDeploymentRow & { last_to: Date };

/** Which deployments of a tenant, or which of their usage, is meant; all unless one of these is given. */
export interface UsageScope {
  deployment_id?: DeploymentId | null;
  division_id?: DivisionId | null;
  environment_id?: EnvironmentId | null;
  label?: { key: string; value: string } | null;
}

/** What each deployment of a tenant has used, by the names of their places. */
export function listDeploymentUsage(
  db: Database,
  tenantId: TenantId,
  { from, to }: Span,
  { label, ...scope }: UsageScope = {},
): Promise<DeploymentUsage[]> {
  const values: unknown[] = [tenantId, from, to];
  const conditions = ['b.tenant_id = $1'];
  for (const [column, id] of Object.entries(scope))
    if (id !== null) conditions.push(`b.${column} = $${values.push(id)}`);
  if (label) {
    const wanted = `$${values.push(JSON.stringify({ [label.key]: label.value }))}`;
    conditions.push(`l.labels @> ${wanted}::jsonb AND seconds > 0`);
  }
  const [used, within] = label
    ? [labelledUsage, secondsWithin('greatest($2, l.valid_from)', 'least($3, l.valid_to)')]
    : [source, secondsWithin('$2', '$3')];
  return db.query<DeploymentUsage>(
    `SELECT b.*, max(least(u.ended_at, $3)) AS last_to, ${sums}
     FROM ${used}, ${within} WHERE ${conditions.join(' AND ')}
     GROUP BY b.id ORDER BY b.division_name, b.environment_name, b.name, b.id`,
    values,
  );
}

/** A month (UTC) by its first moment, and what it has cost: each deployment rounded once, half up. */
export interface MonthTotal {
  month: Date;
  total: string;
}

/** The months in which a tenant has used anything, newest first, and how many there are. */
export async function listMonths(
  db: Database,
  tenantId: TenantId,
  { offset, results }: Page,
): Promise<[MonthTotal[], number]> {
  const cents = costParts.map((part) => `u.${part}`).join(' + ');
  const month = `date_trunc('month', u.started_at, 'UTC')`;
  const used = `billed_deployments b JOIN usage_intervals u ON u.billed_id = b.id WHERE b.tenant_id = $1`;
  const rows = await db.query<MonthTotal>(
    `SELECT month, sum(total) AS total FROM (
       SELECT ${month} AS month,
         round(sum(extract(epoch FROM u.ended_at - u.started_at) * (${cents})) / ${centSecondsPerDollar}, 2) AS total
       FROM ${used} GROUP BY 1, b.id) deployments
     GROUP BY month ORDER BY month DESC OFFSET $2 LIMIT $3`,
    [tenantId, offset, results],
  );
  return [rows, await countRows(db, `(SELECT DISTINCT ${month} FROM ${used}) months`, [tenantId])];
}

/** The regions with deployments of a tenant that have not reported all usage before this time. */
export const listBehind = (db: Database, tenantId: TenantId, before: Date) =>
  db.query<Pick<BilledDeploymentRow, 'cloud' | 'region'> & { usage_to: Date | null }>(
    `SELECT cloud, region, usage_to FROM regions r
     WHERE (usage_to IS NULL OR usage_to < $2)
       AND (EXISTS (SELECT FROM deployments d WHERE d.tenant_id = $1 AND d.cloud = r.cloud AND d.region = r.region)
         OR EXISTS (SELECT FROM billed_deployments b
                    WHERE b.tenant_id = $1 AND b.cloud = r.cloud AND b.region = r.region))
     ORDER BY cloud, region`,
    [tenantId, before],
  );
