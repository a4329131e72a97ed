import { costParts, type DeploymentId, type DivisionId, type EnvironmentId } from '@sluice/contracts';
import type { Cloud, DeploymentSpec, ReportData, TenantId, Tier } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import type { Database } from '@sluice/main-store/database';
import {
  bigint,
  id,
  integer,
  nullable,
  table,
  text,
  time,
  uuid,
  type RowOf,
} from '@sluice/main-store/columns';
import { firstOf, pageOfRows } from '@sluice/main-store/rows';
import { monthsAfter } from '@sluice/billing/months';

export const BilledDeployment = table('billed_deployments', {
  id: id<number>(),
  uid: uuid(),
  deployment_id: bigint<DeploymentId>(),
  tenant_id: bigint<TenantId>(),
  division_id: bigint<DivisionId>(),
  environment_id: bigint<EnvironmentId>(),
  name: text(),
  division_name: text(),
  environment_name: text(),
  cloud: text<Cloud>(),
  region: text(),
  /** since when its region knows all that has happened there: what it has reported before that no longer counts */
  known_since: nullable(time()),
});
export type BilledDeploymentRow = RowOf<typeof BilledDeployment>;

const UsageInterval = table('usage_intervals', {
  billed_id: bigint<number>({ primary: true }),
  started_at: time({ primary: true }),
  ended_at: time(),
  compute: bigint(),
  storage: bigint(),
  network: bigint(),
  telemetry: bigint(),
  data_retention: bigint(),
  tier: text<Tier>(),
  nodes: integer(),
  storage_type: text<DeploymentSpec['storage']['type']>(),
  storage_size: nullable(bigint<number>()),
  /** the list of the price, and what else it depends on; null where an older release has reported it */
  price_list: nullable(integer()),
  target_network_tput: nullable(integer()),
  availability_mode: nullable(text<DeploymentSpec['availability_mode']>()),
  telemetry_days: nullable(integer()),
  closing: integer({ default: 0 }),
});
export type UsageIntervalRow = RowOf<typeof UsageInterval>;

type Billed = Pick<ReportData<'usage'>, 'uid' | 'deployment_id'>;

/** Keeps what usage of a deployment is of, with the names that it has now; what is known of one that is gone stays. */
export async function keepBilled(db: Database, { uid, deployment_id }: Billed): Promise<void> {
  const names = ['tenant_id', 'division_id', 'environment_id', 'name', 'division_name', 'environment_name'];
  await db.query(
    `INSERT INTO billed_deployments AS b (uid, deployment_id, ${names.join(', ')}, cloud, region)
     SELECT d.uid, d.id, d.tenant_id, d.division_id, d.environment_id, d.name, v.name, e.name, d.cloud, d.region
     FROM deployments d JOIN divisions v ON v.id = d.division_id JOIN environments e ON e.id = d.environment_id
     WHERE d.id = $1 AND d.uid = $2
     ON CONFLICT (uid) DO UPDATE SET ${names.map((name) => `${name} = excluded.${name}`).join(', ')}
     WHERE (${names.map((name) => `b.${name}`).join(', ')}) <> (${names.map((name) => `excluded.${name}`).join(', ')})`,
    [deployment_id, uid],
  );
}

/** The same, locked until the transaction ends. Undefined where there never was such a deployment. */
export async function lockBilled(db: Database, billed: Billed): Promise<BilledDeploymentRow | undefined> {
  await keepBilled(db, billed);
  return firstOf(
    db.query<BilledDeploymentRow>('SELECT * FROM billed_deployments WHERE uid = $1 FOR UPDATE', [billed.uid]),
  );
}

/** Notes since when the region of deployments knows what has happened. They are locked until the transaction ends. */
export const raiseKnownSince = (db: Database, uids: readonly string[], since: Date) =>
  db.query(
    `UPDATE billed_deployments SET known_since = greatest(known_since, $2)
     WHERE id IN (SELECT id FROM billed_deployments WHERE uid = ANY ($1) ORDER BY id FOR UPDATE)`,
    [uids, since],
  );

/** The usage of deployments since the beginning of a month, newest first. */
export const listUsageSince = (db: Database, uids: readonly string[], since: Date) =>
  db.query<UsageIntervalRow & Pick<BilledDeploymentRow, 'uid'>>(
    `SELECT b.uid, u.* FROM billed_deployments b JOIN usage_intervals u ON u.billed_id = b.id
     WHERE b.uid = ANY ($1) AND u.started_at >= $2 ORDER BY u.started_at DESC`,
    [uids, since],
  );

/** The intervals of a deployment that have a part of this time, in their order. */
export const listOverlapping = (db: Database, billedId: number, from: Date, to: Date) =>
  db.query<UsageIntervalRow>(
    `SELECT * FROM usage_intervals WHERE billed_id = $1
       AND int8range(billed_id, billed_id, '[]') && int8range($1, $1, '[]')
       AND tstzrange(started_at, ended_at) && tstzrange($2, $3)
     ORDER BY started_at`,
    [billedId, from, to],
  );

export const insertUsage = (db: Database, usage: UsageIntervalRow) => db.manager.insert(UsageInterval, usage);

export const extendUsage = (
  db: Database,
  { billed_id, started_at }: Pick<UsageIntervalRow, 'billed_id' | 'started_at'>,
  ended_at: Date,
) => db.manager.update(UsageInterval, { billed_id, started_at }, { ended_at });

const ofOneInterval = [
  ...(['tier', 'nodes', 'storage_type', 'storage_size', 'target_network_tput'] as const),
  ...(['availability_mode', 'telemetry_days', 'price_list'] as const),
  ...costParts,
];

/** Whether two intervals are of the same shape, at the same price by the same list. */
export const isAlike = (one: Alike, other: Alike) => ofOneInterval.every((name) => one[name] === other[name]);
type Alike = Pick<UsageIntervalRow, (typeof ofOneInterval)[number]>;

/** A page of the intervals that a line of an invoice is made of, in their order, and how many there are. */
export const pageOfIntervals = (
  db: Database,
  { billed_id, month, closing }: Record<'billed_id' | 'closing', number> & { month: Date },
  page: Page,
): Promise<[UsageIntervalRow[], number]> =>
  pageOfRows<UsageIntervalRow>(
    db,
    page,
    `(SELECT *, billed_id AS id FROM usage_intervals) u
     WHERE billed_id = $1 AND closing = $2 AND started_at >= $3 AND started_at < $4`,
    [billed_id, closing, month, monthsAfter(month, 1)],
    { by: 'started_at', direction: 'ASC' },
  );
