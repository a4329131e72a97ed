import type { DeploymentId } from '@sluice/contracts';
import type { Database, FormerState } from '@sluice/region-store/tables';
import { raiseRevision } from '@sluice/region-store/deployments.store';
import type { Node } from '@sluice/region-store/nodes.store';
import { scheduleNow } from '@sluice/region-store/reconciliations.store';
import { isToBeStopped, setToBeStopped } from '@sluice/region-store/stopped-runtimes.store';
import type { VolumeWork } from '@sluice/region-store/volume-work.store';

/** Has the brokers of these nodes stopped. @returns what was wanted of them before, and the revision of the change */
export async function quiesceBrokers(
  db: Database,
  deploymentId: DeploymentId,
  nodes: readonly Node[],
  now: Date,
): Promise<{ formerStates: FormerState[]; revision: number }> {
  const formerStates: FormerState[] = [];
  for (const { id } of nodes) {
    formerStates.push({ node_id: id, stopped: (await isToBeStopped(db, id, 'broker')) ?? false });
    await setToBeStopped(db, id, 'broker', true);
  }
  await scheduleNow(db, deploymentId, now);
  return { formerStates, revision: await raiseRevision(db, deploymentId) };
}

/** Wants of brokers again what was wanted before. @returns the revision of the change */
export async function resumeBrokers(
  db: Database,
  { deployment_id, former_states }: VolumeWork,
  now: Date,
): Promise<number> {
  for (const { node_id, stopped } of former_states ?? [])
    await setToBeStopped(db, node_id, 'broker', stopped);
  await scheduleNow(db, deployment_id, now);
  return await raiseRevision(db, deployment_id);
}
