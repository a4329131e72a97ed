import { statusIs, type DeploymentSpec } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { requireLive } from '../deployment-rules.ts';
import type { Database } from '@sluice/region-store/tables';
import { type Backup } from '@sluice/region-store/backups.store';
import type { Deployment } from '@sluice/region-store/deployments.store';
import { findVolumeWork } from '@sluice/region-store/volume-work.store';
import type { KeepsBackups } from '../../drivers/backup-support.ts';
import { canBeBackedUp } from '../../volume-work/backup-limits.ts';

/** @returns the limits of its plan @throws Problem `feature_not_available`, `backups_unavailable` */
export function requireBackups(deployment: Deployment, kept: KeepsBackups): DeploymentSpec['limits'] {
  const { limits } = deployment.spec;
  if (limits.backups === 0)
    throw problem('feature_not_available', { extensions: { feature: 'backup_enabled' } });
  if (!kept(deployment) || !canBeBackedUp(deployment)) throw problem('backups_unavailable');
  return limits;
}

/** The deployment has to be locked. @throws Problem `operation_in_progress`, `state_conflict` */
export async function requireIdle(db: Database, deployment: Deployment): Promise<void> {
  const { id, status } = deployment;
  if (await findVolumeWork(db, id)) throw problem('operation_in_progress');
  requireLive(deployment);
  if (!statusIs('acceptsTasks', status))
    throw problem('state_conflict', { detail: `The deployment is ${status}, not initialized or stopped.` });
}

/**
 * A cluster goes back as a whole: nodes of two moments would not agree on what there is.
 * @throws Problem `state_conflict` when it has other nodes than it had then
 */
export function requireSameNodes({ spec }: Deployment, { copies }: Backup): void {
  if (spec.cluster === 'standalone') return;
  const copied = new Set(copies.map(({ node_id }) => node_id));
  if (copied.size === spec.nodes.length && spec.nodes.every(({ id }) => copied.has(id))) return;
  const detail = 'The cluster has other nodes than the backup, which has been made before it was extended.';
  throw problem('state_conflict', { detail });
}
