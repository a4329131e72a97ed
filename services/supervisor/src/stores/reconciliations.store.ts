import type { DeploymentId } from '@sluice/contracts';
import { sql, type Selectable } from 'kysely';
import { channels, notify, notifyAll } from '../database/signals.ts';
import type { Database, Tables } from '../database/tables.ts';

/** The reconciler's queue: when it turns to a deployment again, and what has failed since the status changed. */
export type Reconciliation = Selectable<Tables['reconciliations']>;

export async function findReconciliation(
  db: Database,
  deploymentId: DeploymentId,
): Promise<Reconciliation | undefined> {
  return await db
    .selectFrom('reconciliations')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .executeTakeFirst();
}

/** Deployments whose time has come, the longest overdue first. */
export async function listDue(db: Database, now: Date): Promise<DeploymentId[]> {
  const rows = await db
    .selectFrom('reconciliations')
    .select('deployment_id')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(500)
    .execute();
  return rows.map(({ deployment_id }) => deployment_id);
}

export async function insertReconciliation(
  db: Database,
  deploymentId: DeploymentId,
  now: Date,
): Promise<void> {
  await db.insertInto('reconciliations').values({ deployment_id: deploymentId, due_at: now }).execute();
}

/** Has the reconciler turn to the deployment at once; polling finds it even if the notification is lost. */
export async function scheduleNow(db: Database, deploymentId: DeploymentId, now: Date): Promise<void> {
  await db
    .updateTable('reconciliations')
    .set({ due_at: now })
    .where('deployment_id', '=', deploymentId)
    .execute();
  await notify(db, channels.due, deploymentId);
}

/** Has the reconciler turn to all of them at once, in one order, so that two who do this do not wait for each other in a round. */
export async function scheduleAllNow(
  db: Database,
  deploymentIds: readonly DeploymentId[],
  now: Date,
): Promise<void> {
  await sql`
    WITH due AS (
      SELECT deployment_id FROM reconciliations
      WHERE deployment_id = ANY(${deploymentIds}) ORDER BY deployment_id FOR UPDATE
    )
    UPDATE reconciliations SET due_at = ${now} FROM due
    WHERE reconciliations.deployment_id = due.deployment_id`.execute(db);
  await notifyAll(db, channels.due, deploymentIds);
}

/** Has the reconciler turn to the deployment at `dueAt`. Whatever failed before has worked since. */
export async function scheduleNext(db: Database, deploymentId: DeploymentId, dueAt: Date): Promise<void> {
  await db
    .updateTable('reconciliations')
    .set({ due_at: dueAt, failures: 0 })
    .where('deployment_id', '=', deploymentId)
    .execute();
}

/** Records that a step failed, and when to try it again. */
export async function recordFailure(
  db: Database,
  deploymentId: DeploymentId,
  error: string,
  dueAt: Date,
): Promise<void> {
  await db
    .updateTable('reconciliations')
    .set((row) => ({ failures: row('failures', '+', 1), last_error: error, due_at: dueAt }))
    .where('deployment_id', '=', deploymentId)
    .execute();
}

/** The steps of the status before have left nothing to retry. */
export async function clearFailures(db: Database, deploymentId: DeploymentId): Promise<void> {
  await db
    .updateTable('reconciliations')
    .set({ failures: 0, last_error: null })
    .where('deployment_id', '=', deploymentId)
    .where((row) => row.or([row('failures', '>', 0), row('last_error', 'is not', null)]))
    .execute();
}
