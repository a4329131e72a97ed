import {
  findConnector,
  mostConnectorInstances,
  type DeploymentId,
  type InventoriedDeployment,
} from '@sluice/contracts';
import type { Log } from '@sluice/service';
import type { Transaction } from '@sluice/main-store/database';
import { adoptInstance, findRemovedInstances } from './adoption.store.ts';
import { aboutOf, findDeployments } from '@sluice/main-store/deployments.store';
import { connectorData } from './activations.ts';

/** A deployment with instances of connectors that its region has and that are not known here. */
export interface UnknownInstances extends Pick<InventoriedDeployment, 'id'> {
  unknown: InventoriedDeployment['instances'];
  /** how many are known here */
  known: number;
}

/**
 * Takes over connector instances that main-api, restored from an older copy, does not know. The region is commanded to delete those that
 * were deleted; those whose id or key another one has here are left out. The caller holds the locks of the tenants. @returns the deployments that have new ones
 */
export async function adoptInstances(
  tx: Transaction,
  log: Log,
  found: readonly UnknownInstances[],
): Promise<Set<DeploymentId>> {
  const adopted = new Set<DeploymentId>();
  const removed = await findRemovedInstances(
    tx,
    found.flatMap(({ unknown }) => unknown.map(({ id }) => id)),
  );
  const deployments = await findDeployments(
    tx,
    found.map(({ id }) => id),
  );
  const byId = new Map(deployments.map((deployment) => [deployment.id, deployment]));
  for (const { id, unknown, known } of found) {
    const deployment = byId.get(id);
    if (!deployment) continue;
    const room = Math.max(0, mostConnectorInstances - known);
    const { uid } = deployment;
    for (const instance of unknown.filter((one) => removed.has(one.id)))
      tx.command(deployment, 'connector_delete', { deployment_id: id, uid, instance_id: instance.id });
    const lost = unknown.filter((instance) => !removed.has(instance.id));
    for (const [position, instance] of lost.entries()) {
      const { id: instance_id, connector_type, connector_key } = instance;
      const isPossible = position < room && findConnector(connector_type, connector_key) !== undefined;
      if (!isPossible || !(await adoptInstance(tx, id, instance))) {
        log.warn('a connector instance that a region has is not taken over', { deployment: id, instance_id });
        continue;
      }
      adopted.add(id);
      tx.emit('connector_adopted', aboutOf(deployment), connectorData(instance));
    }
  }
  return adopted;
}
