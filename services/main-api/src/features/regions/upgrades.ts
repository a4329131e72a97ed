import type { DeploymentId, UpgradeReport } from '@sluice/contracts';
import type { Catalogue } from '@sluice/catalogue/catalogue';
import type { Transaction } from '@sluice/main-store/database';
import { type DeploymentUpgradeRow, updateUpgrade } from '@sluice/main-store/deployment-upgrades.store';
import { aboutOf, findDeployments, takeUpgrade } from '@sluice/main-store/deployments.store';

/**
 * Takes in how far a region is with an upgrade. Only one that is completed changes the deployment, and an end is final: what comes
 * twice, late or in another order has no effect.
 */
export async function handleUpgrade(
  tx: Transaction,
  { tiers }: Pick<Catalogue, 'tiers'>,
  deploymentId: DeploymentId,
  { upgrade_id: id, state, reason = null }: UpgradeReport,
): Promise<void> {
  const upgrade = await updateUpgrade(tx, deploymentId, { id, status: state, reason });
  if (!upgrade || state === 'in_progress') return;
  const [deployment] = await findDeployments(tx, [deploymentId]);
  if (!deployment) return;
  const about = aboutOf(deployment);
  const change = changeOf(upgrade);
  if (state !== 'completed') {
    const rolled_back = state === 'rolled_back';
    const failure = { ...change, rolled_back, reason: reason ?? '' };
    return tx.emit('deployment_upgrade_failed', about, failure, upgrade.correlation_id);
  }
  const instance = tiers.find(({ key }) => key === upgrade.to_tier)?.instances[deployment.cloud];
  await takeUpgrade(tx, upgrade, instance);
  tx.emit('deployment_upgraded', about, change, upgrade.correlation_id);
}

/** What an event says of an upgrade (interface, 6.3). */
export function changeOf(upgrade: DeploymentUpgradeRow) {
  const { from_tier, to_tier, storage_type: type, nodes_before, nodes_after } = upgrade;
  return {
    from_tier,
    to_tier,
    from_storage: { type, size: upgrade.from_storage_size },
    to_storage: { type, size: upgrade.to_storage_size },
    ...(nodes_after > nodes_before && { nodes_before, nodes_after }),
  };
}
