import type { CommandData } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { ParamsOf } from '@sluice/http';
import { problem } from '@sluice/service';
import { requireLive } from '../deployment-rules.ts';
import type { operations } from '../../generated/api.ts';
import {
  deleteConnectorInstance,
  listConnectorInstances,
  listConnectorReports,
  type ConnectorInstance,
} from './connector-instances.store.ts';
import {
  findLocked,
  lockDeployment,
  raiseRevision,
  subjectsOf,
  type Deployment,
} from '@sluice/region-store/deployments.store';
import { stateOf, type InstanceState } from './instance-status.ts';
import type { Shared, Tx } from '../shared.ts';

export interface LiveInstance {
  instance: ConnectorInstance;
  state: InstanceState;
}

export type ConnectorsOptions = Pick<Shared, 'database' | 'work'>;

export type ConnectorsService = ReturnType<typeof connectorsService>;

/** The instances of connectors of a deployment (interface, 2.13 and 4.10). */
export function connectorsService({ database, work }: ConnectorsOptions) {
  return {
    async list({ deployment_id }: ParamsOf<operations['listConnectorInstances']>): Promise<LiveInstance[]> {
      const reports = await listConnectorReports(database, deployment_id);
      const instances = await listConnectorInstances(database, deployment_id);
      return instances.map((instance) => ({ instance, state: stateOf(instance.id, reports) }));
    },

    /** For good: no activation that comes late brings it back. @throws Problem `not_found`, `state_conflict` */
    async delete(
      caller: Caller,
      { deployment_id, instance_id }: ParamsOf<operations['deleteConnectorInstance']>,
    ): Promise<void> {
      await work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deployment_id);
        if (!(await deleteInstance(tx, deployment, instance_id))) throw problem('not_found');
        requireLive(deployment);
      });
    },
  };
}

/** Deletes an instance once more that has come back with an older copy of this database. One that is not here needs nothing. */
export async function deleteAgain(
  tx: Tx,
  { deployment_id, uid, instance_id }: CommandData<'connector_delete'>,
): Promise<void> {
  const deployment = await findLocked(tx.db, deployment_id);
  if (deployment?.uid === uid) await deleteInstance(tx, deployment, instance_id);
}

/** @returns false when the deployment has no such instance */
async function deleteInstance(
  tx: Tx,
  deployment: Deployment,
  instance_id: ConnectorInstance['id'],
): Promise<boolean> {
  const { id, uid } = deployment;
  const instance = await deleteConnectorInstance(tx.db, id, instance_id);
  if (!instance) return false;
  const { connector_type, connector_key, name, key } = instance;
  tx.emit('connector_deleted', subjectsOf(deployment), {
    ...{ instance_id, connector_type, connector_key, name, key },
  });
  tx.report('connector_deleted', { deployment_id: id, uid, instance_id });
  await raiseRevision(tx.db, id);
  return true;
}
