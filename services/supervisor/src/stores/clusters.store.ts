import type { DeploymentId, NodeId } from '@sluice/contracts';
import type { Insertable, Selectable } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';

/** How the nodes of deployments that are clusters find and trust each other, and whose turn to restart it is. */

export type Cluster = Selectable<Tables['deployment_clusters']>;
/** The name of a node's broker in its cluster, which stays when the node is renamed: the others know it by this name. */
export const serverName = (nodeId: NodeId): string => `node-${nodeId}`;

/** Where a node's broker listens for the others. */
export type Route = Cluster['routes'][number];

export async function findCluster(db: Database, deploymentId: DeploymentId): Promise<Cluster | undefined> {
  return await db
    .selectFrom('deployment_clusters')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .executeTakeFirst();
}

/** Stores what the nodes trust each other by; where there is something already, another certificate besides. */
export async function storeTrust(
  db: Database,
  trust: Omit<Insertable<Tables['deployment_clusters']>, 'routes'>,
): Promise<void> {
  const { certificate, sealed_key, authority, not_before, not_after } = trust;
  await db
    .insertInto('deployment_clusters')
    .values(trust)
    .onConflict((conflict) =>
      conflict.column('deployment_id').doUpdateSet((row) => ({
        ...{ certificate, sealed_key, authority, not_before, not_after },
        former_authority: row.ref('deployment_clusters.authority'),
      })),
    )
    .execute();
}

export async function storeRoutes(
  db: Database,
  deploymentId: DeploymentId,
  routes: readonly Route[],
): Promise<void> {
  await db
    .updateTable('deployment_clusters')
    .set({ routes: JSON.stringify(routes) })
    .where('deployment_id', '=', deploymentId)
    .execute();
}

/** Whose turn it is from now on; null: no node's. */
export async function setTurn(
  db: Database,
  deploymentId: DeploymentId,
  turn: { node: NodeId | null; askedRevision: number | null },
): Promise<void> {
  await db
    .updateTable('deployment_clusters')
    .set({ turn_node_id: turn.node, asked_revision: turn.askedRevision })
    .where('deployment_id', '=', deploymentId)
    .execute();
}
