import type { DeploymentId, NodeId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { sql } from 'kysely';
import { countOf } from '@sluice/region-store/queries';
import type { Database } from '@sluice/region-store/tables';

/** What is known of the data of nodes: beside the store of nodes, in the same table. */

/** These nodes hold data from now on. */
export async function recordData(db: Database, nodes: readonly NodeId[], now: Date): Promise<void> {
  await db.updateTable('nodes').set({ deployed_at: now }).where('id', 'in', nodes).execute();
}

/** What these nodes held is gone. */
export async function recordLoss(db: Database, nodes: readonly NodeId[], now: Date): Promise<void> {
  await db.updateTable('nodes').set({ data_lost_at: now }).where('id', 'in', nodes).execute();
}

/** What these nodes of a deployment held is there again. @returns of how many others it is not */
export async function forgetLoss(
  db: Database,
  deploymentId: DeploymentId,
  nodes: readonly NodeId[],
): Promise<number> {
  await db.updateTable('nodes').set({ data_lost_at: null }).where('id', 'in', nodes).execute();
  return await countLosses(db, deploymentId);
}

/** How many nodes of a deployment have lost their data. */
export const countLosses = (db: Database, deploymentId: DeploymentId) =>
  countOf(
    db.selectFrom('nodes').where('deployment_id', '=', deploymentId).where('data_lost_at', 'is not', null),
  );

/** A node of a cluster that has started empty and does not say yet that it has its copies. @returns its name */
export async function findEmptyNode(db: Database, deploymentId: DeploymentId): Promise<string | undefined> {
  const node = await db
    .selectFrom('nodes')
    .select('name')
    .where('deployment_id', '=', deploymentId)
    .where('deployed_at', 'is', null)
    .where('data_lost_at', 'is', null)
    .where(sql<boolean>`coalesce((cluster ->> 'healthy')::boolean, false) = false`)
    .limit(1)
    .executeTakeFirst();
  return node?.name;
}

/**
 * Lets a node whose data is lost start empty: nothing of the former one counts any more, its agent's key included.
 * @returns its name; undefined when its data is not lost
 * @throws Problem `not_found` when the deployment has no such node
 */
export async function acceptLoss(
  db: Database,
  deploymentId: DeploymentId,
  nodeId: NodeId,
): Promise<string | undefined> {
  const node = await db
    .selectFrom('nodes')
    .select(['name', 'data_lost_at'])
    .where('id', '=', nodeId)
    .where('deployment_id', '=', deploymentId)
    .forUpdate()
    .executeTakeFirst();
  if (!node) throw problem('not_found');
  if (node.data_lost_at === null) return undefined;
  await forgetData(db, [nodeId]);
  return node.name;
}

/** Nothing of what these nodes were counts any more, their agents' keys included: they start empty. */
export async function forgetData(db: Database, nodes: readonly NodeId[]): Promise<void> {
  await db
    .updateTable('nodes')
    .set({
      deployed_at: null,
      data_lost_at: null,
      data_gone_at: null,
      public_key: null,
      token_hash: null,
      token_expires_at: null,
      applied_revision: 0,
      runtimes: '[]',
      ports: null,
      statistics: null,
      applied: null,
      cluster: null,
    })
    .where('id', 'in', nodes)
    .execute();
}
