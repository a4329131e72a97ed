import {
  openUpgradeStatuses,
  type DeploymentId,
  type DeploymentSpec,
  type Tier,
  type UpgradeStatus,
} from '@sluice/contracts';
import type { Database } from './database.ts';
import { insertRow } from './rows.ts';
import { bigint, integer, nullable, table, text, time, uuid, type RowOf } from './columns.ts';

export const DeploymentUpgrade = table('deployment_upgrades', {
  id: uuid({ primary: true, default: () => 'gen_random_uuid()' }),
  deployment_id: bigint<DeploymentId>(),
  from_tier: text<Tier>(),
  to_tier: text<Tier>(),
  storage_type: text<DeploymentSpec['storage']['type']>(),
  /** gigabytes; null for local storage */
  from_storage_size: nullable(integer()),
  to_storage_size: nullable(integer()),
  nodes_before: integer(),
  nodes_after: integer(),
  status: text<UpgradeStatus>({ default: 'pending' }),
  /** why it was rolled back or failed */
  reason: nullable(text()),
  requested_at: time({ createDate: true }),
  upgraded_at: nullable(time()),
  /** when main-api ended it for want of a report; what its region reports later counts instead */
  given_up_at: nullable(time()),
  /** of the request that asked for it */
  correlation_id: nullable(uuid()),
});
export type DeploymentUpgradeRow = RowOf<typeof DeploymentUpgrade>;

/** of upgrades that have not ended; as the index deployment_upgrades_open has them */
export const isOpen = `status IN (${openUpgradeStatuses.map((status) => `'${status}'`).join(', ')})`;

const mostListed = 100;

type NewUpgrade = Omit<
  DeploymentUpgradeRow,
  'id' | 'status' | 'reason' | 'requested_at' | 'upgraded_at' | 'given_up_at'
>;

/** Adds an upgrade. The caller has made sure that no other is open. */
export const insertUpgrade = (db: Database, upgrade: NewUpgrade) => insertRow(db, DeploymentUpgrade, upgrade);

export const listUpgrades = (db: Database, deploymentId: DeploymentId) =>
  db.manager.find(DeploymentUpgrade, {
    where: { deployment_id: deploymentId },
    order: { requested_at: 'DESC', id: 'DESC' },
    take: mostListed,
  });

/**
 * Takes in what a region reports of an upgrade. Undefined when that is nothing new: an end that the region has reported is final. One
 * that main-api has given up is open again with such a report, unless another has been requested since.
 */
export async function updateUpgrade(
  db: Database,
  deploymentId: DeploymentId,
  { id, status, reason }: Pick<DeploymentUpgradeRow, 'id' | 'status' | 'reason'>,
): Promise<DeploymentUpgradeRow | undefined> {
  const [row] = await db.query<DeploymentUpgradeRow>(
    `UPDATE deployment_upgrades SET status = $3, reason = $4,
       upgraded_at = CASE WHEN $3 = 'completed' THEN now() END, given_up_at = NULL
     WHERE id = $1 AND deployment_id = $2 AND (${isOpen} AND status <> $3 OR given_up_at IS NOT NULL AND (
       $3 <> 'in_progress' OR NOT EXISTS (
         SELECT FROM deployment_upgrades other WHERE other.deployment_id = $2 AND other.${isOpen})))
     RETURNING *`,
    [id, deploymentId, status, reason],
  );
  return row;
}

/** Ends upgrades that were requested before `before` and of which their regions have reported nothing; no more than `limit`. */
export const giveUpUpgrades = (db: Database, before: Date, reason: string, limit: number) =>
  db.query<DeploymentUpgradeRow>(
    `UPDATE deployment_upgrades SET status = 'failed', reason = $2, given_up_at = now() WHERE id IN (
       SELECT u.id FROM deployment_upgrades u
       JOIN deployments d ON d.id = u.deployment_id JOIN regions r ON r.cloud = d.cloud AND r.region = d.region
       WHERE u.${isOpen} AND requested_at < $1 AND (u.status = 'pending' OR r.registered_at < $1)
       ORDER BY u.id LIMIT $3 FOR UPDATE OF u SKIP LOCKED)
     RETURNING *`,
    [before, reason, limit],
  );
