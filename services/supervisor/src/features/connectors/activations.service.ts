import { findPlugin } from '@sluice/connectors';
import { mostConnectorInstances, type CommandData } from '@sluice/contracts';
import { RetryLater } from '@sluice/messaging';
import type { Database } from '@sluice/region-store/tables';
import {
  countConnectorInstances,
  findConnectorInstance,
  insertConnectorInstance,
  isInstanceRemoved,
  listNodesWithConnectors,
} from './connector-instances.store.ts';
import { findLocked, lockCommands, raiseRevision } from '@sluice/region-store/deployments.store';
import {
  forgetOldTasks,
  insertTasks,
  listOpenTasks,
  mostOpenTasks,
  type Submission,
} from '@sluice/region-store/tasks.store';
import { tombstoneExists } from '@sluice/region-store/tombstones.store';
import type { Tx } from '../shared.ts';

type Activation = CommandData<'connector_activate'>;

/**
 * Takes in an instance of a connector that a deployment is to have (interface, 4.10), or refuses it, and reports that to main-api. The same
 * command may come again, and gets the same answer; for one that was deleted meanwhile the deletion is reported once more. Nodes receive it with
 * the next revision, and each that has the connectors runtime gets a task, which ends when it has taken the instance in.
 * @param deadlineSeconds of the tasks
 * @throws RetryLater when the deployment itself has not come yet
 */
export async function activateConnector(
  tx: Tx,
  activation: Activation,
  deadlineSeconds: number,
): Promise<void> {
  const { deployment_id, uid, instance } = activation;
  await lockCommands(tx.db, deployment_id);
  if (await isInstanceRemoved(tx.db, deployment_id, instance.id))
    return tx.report('connector_deleted', { deployment_id, uid, instance_id: instance.id });
  const reason = await take(tx.db, activation, deadlineSeconds);
  tx.report('connector_activation', {
    ...{ deployment_id, uid, instance_id: instance.id },
    accepted: reason === null,
    reason,
  });
}

/** @returns why it is refused; null when it is not */
async function take(
  db: Database,
  { deployment_id, uid, instance, cause }: Activation,
  deadlineSeconds: number,
) {
  const deployment = await findLocked(db, deployment_id);
  if (!deployment) {
    if (await tombstoneExists(db, { uid })) return 'the deployment is gone';
    throw new RetryLater('the deployment of a connector has not come yet');
  }
  if (deployment.uid !== uid) return 'the id of the deployment is that of another one in this region';
  if (deployment.deleted_by) return 'the deployment is being deleted';

  const known = await findConnectorInstance(db, instance.id);
  if (known?.deployment_id === deployment_id && known.key === instance.key) return null;
  if (known) return 'its id is that of another instance in this region';
  if (!findPlugin(instance.connector_type, instance.connector_key))
    return 'the release of this region does not have the connector';
  if ((await countConnectorInstances(db, deployment_id)) >= mostConnectorInstances)
    return `the deployment has ${mostConnectorInstances} instances of connectors in this region`;
  const isNew = await insertConnectorInstance(db, deployment_id, instance, cause);
  if (!isNew) return 'another instance of the deployment has its key in this region';
  await raiseRevision(db, deployment_id);
  await queueTasks(db, { deploymentId: deployment_id, cause, deadlineSeconds });
  return null;
}

/** They begin at the next look for tasks. A node that has too many open ones gets it with its desired state alone. */
async function queueTasks(
  db: Database,
  submission: Pick<Submission, 'deploymentId' | 'cause' | 'deadlineSeconds'>,
): Promise<void> {
  const { deploymentId } = submission;
  const open = await listOpenTasks(db, deploymentId);
  const nodes = (await listNodesWithConnectors(db, deploymentId)).filter(
    (id) => open.filter(({ node_id }) => node_id === id).length < mostOpenTasks,
  );
  if (nodes.length === 0) return;
  await insertTasks(db, {
    ...submission,
    nodes,
    runtime: 'connectors',
    action: 'reconfigure',
    configId: null,
  });
  await forgetOldTasks(db, deploymentId);
}
