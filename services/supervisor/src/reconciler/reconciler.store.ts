import type { Cause, DeploymentShape, DeploymentStatus, DeploymentId, NodeId } from '@sluice/contracts';
import type { Selectable } from 'kysely';
import type { Database, Tables } from '../database.ts';

export interface ReconciledDeployment {
  id: DeploymentId;
  shape: DeploymentShape;
  created_by: Cause;
  deleted_by: Cause | null;
  revision: number;
  status: DeploymentStatus;
  status_changed_at: Date;
  subnet: string | null;
  network_secured_at: Date | null;
  dns_configured_at: Date | null;
  initialized_at: Date | null;
  failures: number;
  last_error: string | null;
}

export async function findDeployment(
  db: Database,
  id: DeploymentId,
): Promise<ReconciledDeployment | undefined> {
  return await db
    .selectFrom('deployments')
    .innerJoin('reconciliations', 'deployment_id', 'id')
    .select([
      'id',
      'shape',
      'created_by',
      'deleted_by',
      'revision',
      'status',
      'status_changed_at',
      'subnet',
      'network_secured_at',
      'dns_configured_at',
      'initialized_at',
      'failures',
      'last_error',
    ])
    .where('id', '=', id)
    .executeTakeFirst();
}

export type ReconciledNode = Selectable<Tables['nodes']>;

export async function nodesOf(db: Database, deploymentId: DeploymentId): Promise<ReconciledNode[]> {
  return await db
    .selectFrom('nodes')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .orderBy('position')
    .execute();
}

/** Deployments whose time has come, the longest overdue first. */
export async function findDue(db: Database, now: Date): Promise<number[]> {
  const rows = await db
    .selectFrom('reconciliations')
    .select('deployment_id')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(500)
    .execute();
  return rows.map(({ deployment_id }) => deployment_id);
}

/** Puts off the next look. Whatever failed before has worked since. */
export async function restUntil(db: Database, deploymentId: DeploymentId, dueAt: Date): Promise<void> {
  await db
    .updateTable('reconciliations')
    .set({ due_at: dueAt, failures: 0 })
    .where('deployment_id', '=', deploymentId)
    .execute();
}

/** Notes that a step failed, and when to try it again. */
export async function noteFailure(
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
export async function forgetFailures(db: Database, deploymentId: DeploymentId): Promise<void> {
  await db
    .updateTable('reconciliations')
    .set({ failures: 0, last_error: null })
    .where('deployment_id', '=', deploymentId)
    .where((row) => row.or([row('failures', '>', 0), row('last_error', 'is not', null)]))
    .execute();
}

/** @returns the version of the new status, which grows with each change */
export async function setStatus(
  db: Database,
  deploymentId: DeploymentId,
  status: DeploymentStatus,
  reason: string | null,
  now: Date,
): Promise<number> {
  const { status_version } = await db
    .updateTable('deployments')
    .set((row) => ({
      status,
      status_reason: reason,
      status_changed_at: now,
      status_version: row('status_version', '+', 1),
    }))
    .where('id', '=', deploymentId)
    .returning('status_version')
    .executeTakeFirstOrThrow();
  return status_version;
}

/** Notes that a step is done, once. @returns false when it was before */
export async function stamp(
  db: Database,
  deploymentId: DeploymentId,
  column: 'network_secured_at' | 'dns_configured_at' | 'initialized_at',
  now: Date,
): Promise<boolean> {
  const result = await db
    .updateTable('deployments')
    .set({ [column]: now })
    .where('id', '=', deploymentId)
    .where(column, 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Deletes the deployment; its nodes, rules, records and everything else that is stored with it go along. */
export async function removeDeployment(db: Database, deploymentId: DeploymentId, now: Date): Promise<void> {
  await db.deleteFrom('deployments').where('id', '=', deploymentId).execute();
  await db
    .updateTable('removed_deployments')
    .set({ removed_at: now })
    .where('deployment_id', '=', deploymentId)
    .execute();
}

/** Stores a new token's hash for a node that has not enrolled. @returns false when it has */
export async function storeToken(
  db: Database,
  nodeId: NodeId,
  hash: string,
  expiresAt: Date,
  { anew }: { anew: boolean },
): Promise<boolean> {
  const result = await db
    .updateTable('nodes')
    .set({ token_hash: hash, token_expires_at: expiresAt, public_key: null, applied_revision: 0 })
    .where('id', '=', nodeId)
    .$if(!anew, (query) => query.where('public_key', 'is', null))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
