import type { DeploymentId, NodeId } from '@sluice/contracts';
import type { Insertable, Selectable } from 'kysely';
import { changeOf, findOf } from './rows.ts';
import type { Database, Tables } from './tables.ts';

/** How the nodes of deployments that are clusters find and trust each other, and whose turn to restart it is. */

export type Cluster = Selectable<Tables['deployment_clusters']>;
/** The name of a node's broker in its cluster, which stays when the node is renamed: the others know it by this name. */
export const serverName = (nodeId: NodeId): string => `node-${nodeId}`;

/** Where a node's broker listens for the others. */
export type Route = Cluster['routes'][number];

export const findCluster = (db: Database, id: DeploymentId) => findOf(db, 'deployment_clusters', id);

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

export const storeRoutes = (db: Database, id: DeploymentId, routes: readonly Route[]) =>
  changeOf(db, 'deployment_clusters', id, { routes: JSON.stringify(routes) });

/** Whose turn it is from now on; null: no node's. */
export const setTurn = (
  db: Database,
  id: DeploymentId,
  node: NodeId | null,
  askedRevision: number | null = null,
) => changeOf(db, 'deployment_clusters', id, { turn_node_id: node, asked_revision: askedRevision });
