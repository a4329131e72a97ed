import type {
  ActivatedConnector,
  ConnectorInstanceId,
  DeploymentId,
  InventoriedShape,
  InventoriedUpgrade,
  NodeId,
  Ref,
  Tier,
} from '@sluice/contracts';
import { In, LessThan, Not } from 'typeorm';
import type { Database } from '@sluice/main-store/database';
import {
  RemovedConnectorInstance,
  type ConnectorInstanceRow,
} from '@sluice/main-store/connector-instances.store';
import { DeploymentUpgrade } from '@sluice/main-store/deployment-upgrades.store';
import { DeploymentNode, type PlacedDeployment } from '@sluice/main-store/deployments.store';

/** What main-api, restored from an older copy, takes over from the inventories of regions. */

export async function findForeignNodes(db: Database, deploymentId: DeploymentId, ids: NodeId[]) {
  const nodes = await db.manager.find(DeploymentNode, {
    where: { id: In(ids), deployment_id: Not(deploymentId) },
    order: { id: 'ASC' },
  });
  return nodes.map(({ id }) => id);
}

/** Adds nodes under the ids that they have, made of what the deployment's other nodes are made of. */
export const adoptNodes = (db: Database, deploymentId: DeploymentId, nodes: readonly Ref<NodeId>[]) =>
  db.query(
    `INSERT INTO deployment_nodes (id, deployment_id, name, image_id, instance, storage_type)
     OVERRIDING SYSTEM VALUE
     SELECT added.id, $1, added.name, like_it.image_id, like_it.instance, like_it.storage_type
     FROM jsonb_to_recordset($2::jsonb) AS added (id bigint, name text),
       (SELECT * FROM deployment_nodes WHERE deployment_id = $1 ORDER BY id LIMIT 1) AS like_it
     ON CONFLICT DO NOTHING`,
    [deploymentId, JSON.stringify(nodes)],
  );

export async function findKnownUpgrades(db: Database, ids: string[]) {
  const upgrades = await db.manager.findBy(DeploymentUpgrade, { id: In(ids) });
  return new Set(upgrades.map(({ id }) => id));
}

/** Ends what is open here although the region has been asked for another one since: only one is open at a time. */
export const closeOlderUpgrade = (
  db: Database,
  deploymentId: DeploymentId,
  { id, requested_at }: InventoriedUpgrade,
) =>
  db.manager.update(
    DeploymentUpgrade,
    {
      ...{ deployment_id: deploymentId, id: Not(id), status: In(['pending', 'in_progress']) },
      requested_at: LessThan(new Date(requested_at)),
    },
    {
      status: 'failed',
      given_up_at: null,
      reason: 'main-api was restored from an older copy of its database: its end is not known',
    },
  );

/** Adds an upgrade to a deployment's history, unless it is there. What it began from is what was known before. */
export async function adoptUpgrade(
  db: Database,
  deployment: PlacedDeployment,
  shape: InventoriedShape,
  { id, tier, storage, nodes_after, status, reason, requested_at, correlation_id }: InventoriedUpgrade,
): Promise<void> {
  const { tier: from_tier, storage_type, storage_size: from_storage_size, nodes } = deployment;
  const isDone = status === 'completed';
  const entry = {
    ...{
      id,
      deployment_id: deployment.id,
      to_tier: tier as Tier,
      storage_type,
      to_storage_size: storage.size,
    },
    from_tier: isDone ? from_tier : (shape.tier as Tier),
    from_storage_size: isDone ? from_storage_size : shape.storage.size,
    nodes_before: nodes_after === null ? shape.nodes.length : Math.min(nodes.length, nodes_after),
    nodes_after: nodes_after ?? shape.nodes.length,
    ...{ status, reason, requested_at, correlation_id, upgraded_at: isDone ? new Date() : null },
  };
  const { manager } = db;
  await manager.createQueryBuilder().insert().into(DeploymentUpgrade).values(entry).orIgnore().execute();
}

export async function findRemovedInstances(db: Database, ids: ConnectorInstanceId[]) {
  const removed = await db.manager.findBy(RemovedConnectorInstance, { id: In(ids) });
  return new Set(removed.map(({ id }) => id));
}

/** Adds an instance under the id that it has. @returns whether it is new: neither its id nor its key is in use */
export async function adoptInstance(
  db: Database,
  deployment_id: DeploymentId,
  { id, connector_type, connector_key, name, key, created_at }: ActivatedConnector,
): Promise<ConnectorInstanceRow | undefined> {
  const [row] = await db.query<ConnectorInstanceRow>(
    `INSERT INTO connector_instances
       (id, deployment_id, connector_type, connector_key, name, key, created_at, accepted_at)
     OVERRIDING SYSTEM VALUE VALUES ($1, $2, $3, $4, $5, $6, $7, now()) ON CONFLICT DO NOTHING RETURNING *`,
    [id, deployment_id, connector_type, connector_key, name, key, created_at],
  );
  return row;
}
