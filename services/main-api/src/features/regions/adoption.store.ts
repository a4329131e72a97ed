import type {
  ActivatedConnector,
  DeploymentId,
  InventoriedShape,
  InventoriedUpgrade,
  NodeId,
  Ref,
} from '@sluice/contracts';
import type { Database } from '../../database.ts';
import type { ConnectorInstanceRow } from '../../stores/connector-instances.entity.ts';
import { isOpen } from '../../stores/deployment-upgrades.store.ts';
import type { PlacedDeployment } from '../../stores/deployments.store.ts';

/** What main-api, restored from an older copy, takes over from the inventories of regions. */

/** Those of these nodes that other deployments have. */
export async function findForeignNodes(
  db: Database,
  deploymentId: DeploymentId,
  ids: NodeId[],
): Promise<NodeId[]> {
  const rows = await db.query<{ id: NodeId }>(
    'SELECT id FROM deployment_nodes WHERE id = ANY ($2) AND deployment_id <> $1 ORDER BY id',
    [deploymentId, ids],
  );
  return rows.map(({ id }) => id);
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

/** Those of the upgrades that are known here, by their ids. */
export async function findKnownUpgrades(db: Database, ids: string[]): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>('SELECT id FROM deployment_upgrades WHERE id = ANY ($1)', [
    ids,
  ]);
  return new Set(rows.map(({ id }) => id));
}

/** Ends what is open here although the region has been asked for another one since: only one is open at a time. */
export const closeOlderUpgrade = (
  db: Database,
  deploymentId: DeploymentId,
  { id, requested_at }: InventoriedUpgrade,
) =>
  db.query(
    `UPDATE deployment_upgrades SET status = 'failed', given_up_at = NULL,
       reason = 'main-api was restored from an older copy of its database: its end is not known'
     WHERE deployment_id = $1 AND ${isOpen} AND id <> $2 AND requested_at < $3`,
    [deploymentId, id, requested_at],
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
    ...{ id, deployment_id: deployment.id, to_tier: tier, storage_type, to_storage_size: storage.size },
    from_tier: isDone ? from_tier : shape.tier,
    from_storage_size: isDone ? from_storage_size : shape.storage.size,
    nodes_before: nodes_after === null ? shape.nodes.length : Math.min(nodes.length, nodes_after),
    nodes_after: nodes_after ?? shape.nodes.length,
    ...{ status, reason, requested_at, correlation_id, upgraded_at: isDone ? new Date() : null },
  };
  const columns = Object.keys(entry);
  await db.query(
    `INSERT INTO deployment_upgrades (${columns.join(', ')}) VALUES (${columns.map((_, i) => `$${i + 1}`).join(', ')})
     ON CONFLICT DO NOTHING`,
    Object.values(entry),
  );
}

/** Those of the ids that are of connector instances which are deleted. */
export async function findRemovedInstances(db: Database, ids: number[]): Promise<Set<number>> {
  const rows = await db.query<{ id: number }>(
    'SELECT id FROM removed_connector_instances WHERE id = ANY ($1)',
    [ids],
  );
  return new Set(rows.map(({ id }) => id));
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
