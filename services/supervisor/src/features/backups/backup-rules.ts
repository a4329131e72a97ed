import type { PlanLimit } from '@sluice/contracts';
import { problem } from '@sluice/service-kit';
import type { Database } from '../../database/tables.ts';
import { countBackups } from '../../stores/backups.store.ts';
import type { Deployment } from '../../stores/deployments.store.ts';
import { statusesForTasks } from '../../stores/tasks.store.ts';
import { findVolumeWork } from '../../stores/volume-work.store.ts';

/** What the plan of a deployment allows: how many, and for how many days each is kept. */
export interface BackupTerms {
  most: number;
  days: number;
}

/** What a deployment may have; null where it can have no backups at all. */
function termsOf({ shape }: Pick<Deployment, 'shape'>): BackupTerms {
  const { backups: most = 0, backup_days: days = 0 } = shape.limits;
  return { most, days };
}

/** Whether there can be backups of it, whatever its plan (interface, 4.12). */
function canBeBackedUp({ shape }: Pick<Deployment, 'shape'>): boolean {
  return shape.cloud === 'cloud_a' && shape.storage.type === 'network_balanced';
}

/** @throws Problem `feature_not_available`, `backups_unavailable` */
export function requireBackups(deployment: Deployment, kept: boolean): BackupTerms {
  const terms = termsOf(deployment);
  if (terms.most === 0) throw problem('feature_not_available', { extensions: { feature: 'backup_enabled' } });
  if (!kept || !canBeBackedUp(deployment)) throw problem('backups_unavailable');
  return terms;
}

/** The deployment has to be locked. @throws Problem `operation_in_progress`, `state_conflict` */
export async function requireIdle(db: Database, { id, status, deleted_by }: Deployment): Promise<void> {
  if (await findVolumeWork(db, id)) throw problem('operation_in_progress');
  if (deleted_by) throw problem('state_conflict', { detail: 'The deployment is being deleted.' });
  if (!statusesForTasks.has(status))
    throw problem('state_conflict', { detail: `The deployment is ${status}, not initialized or stopped.` });
}

/** @throws Problem `limit_reached` */
export async function requireRoom(db: Database, deployment: Deployment): Promise<void> {
  const { most } = termsOf(deployment);
  if ((await countBackups(db, deployment.id)) >= most) throw limit('deployment_backups_limit', most);
}

export function limit(name: PlanLimit, value: number) {
  return problem('limit_reached', { extensions: { limit: { name, value } } });
}
