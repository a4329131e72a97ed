import type { NodeId } from '@sluice/contracts';
import type { Database, Tx } from '@sluice/region-store/tables';
import { dataIntact, setCondition } from '../features/deployments/conditions.store.ts';
import { nameAndCode, subjectsOf, type Deployment } from '@sluice/region-store/deployments.store';
import { forgetLoss, recordLoss } from '../features/deployments/node-data.store.ts';
import type { Node } from '@sluice/region-store/nodes.store';
import { enter, explain } from './status-changes.ts';
import { giveUpUpgrade } from './upgrades.ts';

/** The deployment has failed, and stays so until a person says to go on or the data is back. */
export async function loseData(
  tx: Tx,
  deployment: Deployment,
  lost: readonly Node[],
  now: Date,
): Promise<void> {
  const { id } = deployment;
  const names = lost.map(({ name }) => name).join(', ');
  const reason = `data_lost: the data of ${names} is gone; bring it back, or accept the loss to let the node start empty`;
  await recordLoss(
    tx.db,
    lost.map((node) => node.id),
    now,
  );
  const condition = { type: dataIntact, status: 'False', reason: 'DataLost', message: reason } as const;
  await setCondition(tx.db, id, condition, now);
  if (deployment.status === 'failed') await explain(tx, deployment, reason);
  else {
    const upgrade = await giveUpUpgrade(tx, deployment, reason);
    await enter(tx, deployment, { status: 'failed', reason, upgrade }, now);
  }
  tx.emit('deployment_data_lost', subjectsOf(deployment), {
    ...nameAndCode(deployment),
    nodes: lost.map((node) => ({ id: node.id, name: node.name })),
  });
}

/** The data of these nodes is back. */
export async function findData(
  db: Database,
  { id }: Deployment,
  nodes: readonly NodeId[],
  now: Date,
): Promise<void> {
  if ((await forgetLoss(db, id, nodes)) > 0) return;
  await setCondition(db, id, { type: dataIntact, status: 'True', reason: 'DataFound', message: '' }, now);
}
