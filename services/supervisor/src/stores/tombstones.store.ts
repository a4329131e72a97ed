import type { DeploymentId } from '@sluice/contracts';
import type { Database } from '../database/tables.ts';

/** Tombstones (table `removed_deployments`): deployments that no command brings back. */

/** From now on no command brings this deployment back. */
export async function insertTombstone(db: Database, deploymentId: DeploymentId, now: Date): Promise<void> {
  await db
    .insertInto('removed_deployments')
    .values({ deployment_id: deploymentId, requested_at: now, removed_at: null })
    .onConflict((conflict) => conflict.column('deployment_id').doNothing())
    .execute();
}

/** Records that nothing of the deployment is left. */
export async function completeTombstone(db: Database, deploymentId: DeploymentId, now: Date): Promise<void> {
  await db
    .updateTable('removed_deployments')
    .set({ removed_at: now })
    .where('deployment_id', '=', deploymentId)
    .where('removed_at', 'is', null)
    .execute();
}

export async function tombstoneExists(db: Database, deploymentId: DeploymentId): Promise<boolean> {
  const row = await db
    .selectFrom('removed_deployments')
    .select('deployment_id')
    .where('deployment_id', '=', deploymentId)
    .executeTakeFirst();
  return row !== undefined;
}
