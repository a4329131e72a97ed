import type { NodeId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf, ParamsOf, QueryOf } from '@sluice/http';
import { fieldProblem, problem } from '@sluice/service';
import { requireRoom, type DeploymentPath } from '../deployment-rules.ts';
import type { Base } from '@sluice/region-store/tables';
import type { operations } from '../../generated/api.ts';
import type { BackupSupport } from '../../drivers/backup-support.ts';
import {
  eventOf,
  getBackup,
  insertBackup,
  listBackups,
  markUnwanted,
  type Backup,
  countBackups,
} from '@sluice/region-store/backups.store';
import { lockDeployment, subjectsOf } from '@sluice/region-store/deployments.store';
import { findVolumeWork, insertVolumeWork } from '@sluice/region-store/volume-work.store';
import { requireBackups, requireIdle, requireSameNodes } from './backup-rules.ts';

type BackupPath = ParamsOf<operations['restoreBackup']>;

export type BackupsService = ReturnType<typeof backupsService>;

/** Backups and restores (interface, 4.12). What is begun here is carried out by the work on volumes. */
export function backupsService({
  database,
  work,
  backupSupport,
}: Omit<Base, 'now'> & { backupSupport: BackupSupport }) {
  return {
    list: ({ deployment_id }: DeploymentPath, { backup_type }: QueryOf<operations['listBackups']>) =>
      listBackups(database, deployment_id, backup_type),

    get: ({ deployment_id, backup_id }: BackupPath) => getBackup(database, deployment_id, backup_id),

    /** @throws Problem `feature_not_available`, `backups_unavailable`, `operation_in_progress`, `state_conflict`, `limit_reached` */
    async create(
      caller: Caller,
      { deployment_id }: DeploymentPath,
      { name, node_id, backup_type, remarks, expires_in_days }: BodyOf<operations['createBackup']>,
    ): Promise<Backup> {
      const kept = await backupSupport();
      return await work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deployment_id);
        const { backups: most, backup_days: days } = requireBackups(deployment, kept);
        const nodeId = (node_id ?? null) as NodeId | null;
        if (nodeId !== null && !deployment.spec.nodes.some(({ id }) => id === nodeId))
          throw fieldProblem('node_id', 'not_found', 'is not a node of the deployment');
        if (nodeId !== null && deployment.spec.cluster === 'cluster')
          throw fieldProblem(
            'node_id',
            'not_allowed',
            'cannot be chosen in a cluster, which is backed up as a whole',
          );
        if (expires_in_days) requireRoom('backup_retention_days', days, expires_in_days - 1);
        await requireIdle(tx.db, deployment);
        requireRoom('deployment_backups_limit', most, (await countBackups(tx.db, deployment_id)).all);
        const cause = JSON.stringify(caller.cause);
        const backup = await insertBackup(tx.db, {
          ...{ deployment_id, name, node_id: nodeId, remarks: remarks ?? null, upgrade_id: null },
          ...{ backup_type: backup_type ?? 'manual', created_by: cause },
          expiresInDays: expires_in_days ?? days,
        });
        await insertVolumeWork(tx.db, {
          ...{ deploymentId: deployment_id, backupId: backup.id, kind: 'backup', cause: caller.cause },
        });
        tx.emit('backup_created', subjectsOf(deployment), eventOf(backup));
        return backup;
      });
    },

    /** @throws Problem `not_found`, `feature_not_available`, `backups_unavailable`, `operation_in_progress`, `state_conflict` */
    async restore(caller: Caller, { deployment_id, backup_id }: BackupPath): Promise<void> {
      const kept = await backupSupport();
      await work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deployment_id);
        requireBackups(deployment, kept);
        const backup = await getBackup(tx.db, deployment_id, backup_id);
        requireSameNodes(deployment, backup);
        await requireIdle(tx.db, deployment);
        if (backup.status !== 'completed')
          throw problem('state_conflict', { detail: `The backup is ${backup.status}, not completed.` });
        await insertVolumeWork(tx.db, {
          ...{ deploymentId: deployment_id, backupId: backup_id, kind: 'restore', cause: caller.cause },
        });
        tx.emit('backup_restore_requested', subjectsOf(deployment), eventOf(backup));
      });
    },

    /** @throws Problem `not_found`, `backup_in_progress`, `operation_in_progress` */
    delete: (caller: Caller, { deployment_id, backup_id }: BackupPath): Promise<void> =>
      work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deployment_id);
        const backup = await getBackup(tx.db, deployment_id, backup_id);
        if (backup.status === 'pending' || backup.status === 'in_progress')
          throw problem('backup_in_progress');
        if ((await findVolumeWork(tx.db, deployment_id))?.backup_id === backup_id)
          throw problem('operation_in_progress', { detail: 'The deployment is being restored from it.' });
        if (await markUnwanted(tx.db, backup_id))
          tx.emit('backup_deleted', subjectsOf(deployment), eventOf(backup));
      }),
  };
}
