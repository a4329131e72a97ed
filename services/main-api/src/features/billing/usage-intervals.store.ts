import {
  costParts,
  type CostPart,
  type DeploymentId,
  type DivisionId,
  type EnvironmentId,
} from '@sluice/contracts';
import type { Cloud, DeploymentSpec, ReportData, TenantId, Tier } from '@sluice/contracts';
import type { Database } from '../../database.ts';
import { bigint, id, integer, nullable, table, text, time, uuid, type RowOf } from '../../stores/columns.ts';
import { firstOf } from '../../stores/rows.ts';

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

/** Whether two intervals cost the same. */
export const isPricedAlike = (one: Record<CostPart, number>, other: Record<CostPart, number>) =>
  costParts.every((part) => Number(one[part]) === Number(other[part]));
