import type { components } from '../../generated/api.ts';
import { sizeOf, type Backup } from '@sluice/region-store/backups.store';

/** A backup as the interface shows it (2.14). */
export function backupView(backup: Backup, region: string): components['schemas']['Backup'] {
  const { id, deployment_id, node_id, name, backup_type, status, error, remarks, copies } = backup;
  if (deployment_id === null) throw new Error('a backup without its deployment cannot be shown');
  return {
    ...{ id, deployment_id, node_id, name, backup_type, status, error, remarks, region },
    snapshot_ids: copies.map(({ snapshot_id }) => snapshot_id),
    volume_ids: copies.map(({ volume_id }) => volume_id),
    size_bytes: sizeOf(backup),
    started_at: backup.started_at?.toISOString() ?? null,
    completed_at: backup.completed_at?.toISOString() ?? null,
    expires_at: backup.expires_at?.toISOString() ?? null,
    created_at: backup.created_at.toISOString(),
  };
}
