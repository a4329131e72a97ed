import type { DeploymentId } from '@sluice/contracts';
import { isFound } from './queries.ts';
import type { Database } from './tables.ts';

/** Tombstones, in `removed_uids`: deployments that no command brings back. */

export interface RemovedDeployment {
  id: DeploymentId;
  uid: string;
}

/** From now on no command brings this deployment back. */
export async function insertTombstone(
  db: Database,
  { id: deployment_id, uid }: RemovedDeployment,
  now: Date,
): Promise<void> {
  await db
    .insertInto('removed_uids')
    .values({ uid, deployment_id, requested_at: now, removed_at: null })
    .onConflict((conflict) => conflict.column('uid').doNothing())
    .execute();
}

/** Records that nothing of the deployment is left. */
export async function completeTombstone(
  db: Database,
  { uid }: Pick<RemovedDeployment, 'uid'>,
  now: Date,
): Promise<void> {
  await db
    .updateTable('removed_uids')
    .set({ removed_at: now })
    .where('uid', '=', uid)
    .where('removed_at', 'is', null)
    .execute();
}

/** Whether the deployment is to be gone. */
export const tombstoneExists = (db: Database, { uid }: Pick<RemovedDeployment, 'uid'>) =>
  isFound(db.selectFrom('removed_uids').select('uid').where('uid', '=', uid));
