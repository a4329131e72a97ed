import type { DeploymentId, DeploymentShape } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '../database/tables.ts';

/**
 * Tombstones: deployments that no command brings back. Table `removed_uids`, and `removed_deployments` for those whose uid is not
 * known.
 */

export interface RemovedDeployment {
  id: DeploymentId;
  uid?: string | null | undefined;
}

/** From now on no command brings this deployment back. */
export async function insertTombstone(
  db: Database,
  { id: deployment_id, uid }: RemovedDeployment,
  now: Date,
): Promise<void> {
  const tombstone = { deployment_id, requested_at: now, removed_at: null };
  if (typeof uid === 'string') {
    const insert = db.insertInto('removed_uids').values({ uid, ...tombstone });
    await insert.onConflict((conflict) => conflict.column('uid').doNothing()).execute();
    return;
  }
  const insert = db.insertInto('removed_deployments').values(tombstone);
  await insert.onConflict((conflict) => conflict.column('deployment_id').doNothing()).execute();
}

/** Records that nothing of the deployment is left. */
export async function completeTombstone(
  db: Database,
  { id, uid }: RemovedDeployment,
  now: Date,
): Promise<void> {
  await db
    .updateTable('removed_uids')
    .set({ removed_at: now })
    .where(sql<boolean>`uid = ${uid ?? null}::uuid`)
    .where('removed_at', 'is', null)
    .execute();
  await db
    .updateTable('removed_deployments')
    .set({ removed_at: now })
    .where('deployment_id', '=', id)
    .where('removed_at', 'is', null)
    .execute();
}

/** Whether the deployment is to be gone. A tombstone without a uid is not of one that was created after it. */
export async function tombstoneExists(
  db: Database,
  { id, uid, created_at }: Pick<DeploymentShape, 'id' | 'uid' | 'created_at'>,
): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM removed_uids WHERE uid = ${uid ?? null}::uuid
    UNION ALL
    SELECT FROM removed_deployments
    WHERE deployment_id = ${id} AND (${uid ?? null}::uuid IS NULL OR requested_at >= ${created_at}::timestamptz)`.execute(
    db,
  );
  return rows.length > 0;
}
