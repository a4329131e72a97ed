import type { PlanLimit } from '@sluice/contracts';
import { problem } from '@sluice/service';
import type { Database } from '../../database/tables.ts';
import { countBackups, type Backup } from '../../stores/backups.store.ts';
import type { Deployment } from '../../stores/deployments.store.ts';
import { statusesForTasks } from '../../stores/tasks.store.ts';
import { findVolumeWork } from '../../stores/volume-work.store.ts';
import type { KeepsBackups } from '../../volume-drivers.ts';
import { canBeBackedUp, termsOf, type BackupTerms } from '../../volume-work/terms.ts';

/** @throws Problem `feature_not_available`, `backups_unavailable` */
export function requireBackups(deployment: Deployment, kept: KeepsBackups): BackupTerms {
  const terms = termsOf(deployment);
  if (terms.most === 0) throw problem('feature_not_available', { extensions: { feature: 'backup_enabled' } });
  if (!kept(deployment) || !canBeBackedUp(deployment)) throw problem('backups_unavailable');
  return terms;
}

/** The deployment has to be locked. @throws Problem `operation_in_progress`, `state_conflict` */
export async function requireIdle(db: Database, { id, status, deleted_by }: Deployment): Promise<void> {
  if (await findVolumeWork(db, id)) throw problem('operation_in_progress');
  if (deleted_by) throw problem('state_conflict', { detail: 'The deployment is being deleted.' });
  if (!statusesForTasks.has(status))
    throw problem('state_conflict', { detail: `The deployment is ${status}, not initialized or stopped.` });
}

/**
 * A cluster goes back as a whole: nodes of two moments would not agree on what there is.
 * @throws Problem `state_conflict` when it has other nodes than it had then
 */
export function requireSameNodes({ shape }: Deployment, { copies }: Backup): void {
  if (shape.cluster === 'standalone') return;
  const copied = new Set(copies.map(({ node_id }) => node_id));
  if (copied.size === shape.nodes.length && shape.nodes.every(({ id }) => copied.has(id))) return;
  const detail = 'The cluster has other nodes than the backup, which has been made before it was extended.';
  throw problem('state_conflict', { detail });
}

/** @throws Problem `limit_reached` */
export async function requireRoom(db: Database, { id }: Deployment, { most }: BackupTerms): Promise<void> {
  if ((await countBackups(db, id)).all >= most) throw limit('deployment_backups_limit', most);
}

export function limit(name: PlanLimit, value: number) {
  return problem('limit_reached', { extensions: { limit: { name, value } } });
}
