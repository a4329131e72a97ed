import type { ActivatedConnector, Cause, ConnectorInstanceId, DeploymentId, NodeId } from '@sluice/contracts';
import type { Selectable } from 'kysely';
import { countOf, isFound } from '@sluice/region-store/queries';
import type { Database, Tables } from '@sluice/region-store/tables';
import type { StoredConnectors } from '@sluice/region-store/connector-reports';
import { connectorsStopped } from '@sluice/region-store/stopped-runtimes.store';

export type ConnectorInstance = Selectable<Tables['connector_instances']>;

/** @returns false when there is an instance of this id, or one of the deployment under this key */
export async function insertConnectorInstance(
  db: Database,
  deploymentId: DeploymentId,
  { created_at, ...instance }: ActivatedConnector,
  cause: Cause,
): Promise<boolean> {
  const result = await db
    .insertInto('connector_instances')
    .values({
      ...instance,
      deployment_id: deploymentId,
      created_by: JSON.stringify(cause),
      created_at: new Date(created_at),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return (result.numInsertedOrUpdatedRows ?? 0n) > 0n;
}

export const findConnectorInstance = (db: Database, id: ConnectorInstanceId) =>
  db.selectFrom('connector_instances').selectAll().where('id', '=', id).executeTakeFirst();

/** The instances of a deployment, in the order of their ids. */
export const listConnectorInstances = (db: Database, deploymentId: DeploymentId) =>
  db
    .selectFrom('connector_instances')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .orderBy('id')
    .execute();

export const countConnectorInstances = (db: Database, deploymentId: DeploymentId) =>
  countOf(db.selectFrom('connector_instances').where('deployment_id', '=', deploymentId));

/** What a node says of its connectors. */
export type NodeConnectors = StoredConnectors & {
  /** whether its runtime is to be stopped */
  toBeStopped: boolean;
};

/** What the nodes of a deployment say of its connectors, those left out that have not said anything. */
export async function listConnectorReports(
  db: Database,
  deploymentId: DeploymentId,
): Promise<NodeConnectors[]> {
  const rows = await db
    .selectFrom('nodes')
    .innerJoin('deployments', 'deployments.id', 'deployment_id')
    .select(['connectors', connectorsStopped.as('toBeStopped')])
    .where('deployment_id', '=', deploymentId)
    .where('connectors', 'is not', null)
    .orderBy('position')
    .execute();
  return rows.flatMap(({ connectors, toBeStopped }) => (connectors ? [{ ...connectors, toBeStopped }] : []));
}

/** The nodes of a deployment whose agents have reported a connectors runtime. */
export async function listNodesWithConnectors(db: Database, deploymentId: DeploymentId): Promise<NodeId[]> {
  const rows = await db
    .selectFrom('nodes')
    .select('id')
    .where('deployment_id', '=', deploymentId)
    .where('connectors', 'is not', null)
    .orderBy('position')
    .execute();
  return rows.map(({ id }) => id);
}

/** Removes an instance with its configurations, for good. @returns what it was; undefined where the deployment has none of this id */
export async function deleteConnectorInstance(
  db: Database,
  deploymentId: DeploymentId,
  id: ConnectorInstanceId,
): Promise<ConnectorInstance | undefined> {
  const instance = await db
    .deleteFrom('connector_instances')
    .where((row) => row.and({ id, deployment_id: deploymentId }))
    .returningAll()
    .executeTakeFirst();
  if (instance)
    await db.insertInto('removed_connector_instances').values({ id, deployment_id: deploymentId }).execute();
  return instance;
}

/** Whether an instance of a deployment was deleted here. */
export const isInstanceRemoved = (db: Database, deploymentId: DeploymentId, id: ConnectorInstanceId) =>
  isFound(
    db
      .selectFrom('removed_connector_instances')
      .select('id')
      .where((row) => row.and({ id, deployment_id: deploymentId })),
  );
