import type { UpgradeReport } from '@sluice/contracts';
import type { Database, Tx } from '@sluice/region-store/tables';
import { raiseRevision, type Deployment } from '@sluice/region-store/deployments.store';
import { changeNode } from '@sluice/region-store/nodes.store';
import { isAtWork } from '@sluice/region-store/tasks.store';
import { findVolumeWork } from '@sluice/region-store/volume-work.store';
import {
  adoptUpgrade,
  clearNodeUpgrades,
  findOpenUpgrade,
  reportOf,
  setUpgradeState,
} from '@sluice/region-store/upgrades.store';
import { backUpBefore } from '../volume-work/own-backups.ts';
import type { Step } from './phases/phase.ts';
import { enter } from './status-changes.ts';

/** What an upgrade changes, step by step; each is committed with the status that it leads to. */

/** @param keepsBackups whether there are backups of the deployment: one is taken first, even if it fails */
export async function beginUpgrade(
  tx: Tx,
  deployment: Deployment,
  now: Date,
  keepsBackups: boolean,
): Promise<void> {
  const upgrade = await findOpenUpgrade(tx.db, deployment.id);
  // tasks of nodes end first
  if (!upgrade || (await isAtWork(tx.db, deployment.id)) || (await findVolumeWork(tx.db, deployment.id)))
    return;
  const isExtension = upgrade.nodes_after !== null;
  if (keepsBackups && !isExtension && (await backUpBefore(tx, deployment, upgrade))) return;
  await setUpgradeState(tx.db, upgrade, 'in_progress', null);
  const begun = reportOf({ ...upgrade, state: 'in_progress' });
  await enter(tx, deployment, { status: isExtension ? 'extending' : 'upgrading', upgrade: begun }, now);
}

/** Has a node's broker take up the resources of an upgrade, or those before. */
export async function reshapeNode(
  db: Database,
  { id }: Deployment,
  { node, upgradeId }: Extract<Step, { do: 'reshape_node' }>,
): Promise<void> {
  await changeNode(db, node, { upgrade_id: upgradeId });
  await raiseRevision(db, id);
}

/** From now on the nodes go back to what they were; people read why. */
export async function rollBack(tx: Tx, deployment: Deployment, reason: string, now: Date): Promise<void> {
  const upgrade = await findOpenUpgrade(tx.db, deployment.id);
  if (upgrade) await setUpgradeState(tx.db, upgrade, 'rolling_back', reason);
  await enter(tx, deployment, { status: 'rolling_back', reason }, now);
}

/** The nodes are what they shall be. */
export async function endUpgrade(tx: Tx, deployment: Deployment, now: Date): Promise<void> {
  const upgrade = await findOpenUpgrade(tx.db, deployment.id);
  const state = deployment.status === 'rolling_back' ? 'rolled_back' : 'completed';
  if (upgrade && state === 'completed') await adoptUpgrade(tx.db, upgrade);
  if (upgrade) await setUpgradeState(tx.db, upgrade, state, upgrade.reason);
  // the desired state is the same as before
  await clearNodeUpgrades(tx.db, deployment.id);
  const ended = upgrade && reportOf({ ...upgrade, state });
  await enter(tx, deployment, { status: 'initialized', upgrade: ended }, now);
}

/** An upgrade that is under way ends with the failure of its deployment. @returns its report */
export async function giveUpUpgrade(
  tx: Tx,
  { id }: Deployment,
  failure: string,
): Promise<UpgradeReport | undefined> {
  const upgrade = await findOpenUpgrade(tx.db, id);
  if (!upgrade || upgrade.state === 'pending') return undefined;
  const reason = upgrade.reason === null ? failure : `${upgrade.reason}; ${failure}`;
  await setUpgradeState(tx.db, upgrade, 'failed', reason);
  if (await clearNodeUpgrades(tx.db, id)) await raiseRevision(tx.db, id);
  return reportOf({ ...upgrade, state: 'failed', reason });
}
