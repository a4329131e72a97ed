import type { Caller } from '@sluice/grants';
import type { BodyOf } from '@sluice/http';
import { fieldProblem } from '@sluice/service';
import { requireLive, type DeploymentPath, requireRoom } from '../deployment-rules.ts';
import type { Base } from '@sluice/region-store/tables';
import type { operations } from '../../generated/api.ts';
import type { BackupSupport } from '../../drivers/backup-support.ts';
import {
  findSchedule,
  storeSchedule,
  type BackupSchedule,
} from '@sluice/region-store/backup-schedules.store';
import { getDeployment, lockDeployment, subjectsOf } from '@sluice/region-store/deployments.store';
import { cronIssue, nextTime } from '../../volume-work/cron.ts';
import { requireBackups } from './backup-rules.ts';

type Shown = Omit<BackupSchedule, 'deployment_id'>;

/** shown where none is set: each night, for a week */
const unset: Shown = { enabled: false, cron: '0 3 * * *', keep: 7, next_at: null };

const settingsOf = (stored: BackupSchedule | undefined) =>
  stored ? { enabled: stored.enabled, cron: stored.cron, keep: stored.keep } : null;

export type BackupSchedulesService = ReturnType<typeof backupSchedulesService>;

/** When backups are taken by themselves (completions, "implied operations"). */
export function backupSchedulesService({
  database,
  work,
  backupSupport,
  now,
}: Base & { backupSupport: BackupSupport }) {
  return {
    /** @throws Problem `not_found` */
    async get({ deployment_id }: DeploymentPath): Promise<Shown> {
      await getDeployment(database, deployment_id);
      return (await findSchedule(database, deployment_id)) ?? unset;
    },

    /** @throws Problem `feature_not_available`, `backups_unavailable`, `invalid_request`, `limit_reached`, `state_conflict` */
    async set(
      caller: Caller,
      { deployment_id }: DeploymentPath,
      { enabled, cron, keep }: BodyOf<operations['setBackupSchedule']>,
    ): Promise<void> {
      const kept = await backupSupport();
      await work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deployment_id);
        const { backups: most } = requireBackups(deployment, kept);
        const issue = cronIssue(cron, now());
        if (issue !== null) throw fieldProblem('cron', 'wrong_format', issue);
        requireRoom('deployment_backups_limit', most, keep - 1);
        requireLive(deployment);
        const former = settingsOf(await findSchedule(tx.db, deployment_id));
        const next_at = enabled ? nextTime(cron, now()) : null;
        await storeSchedule(tx.db, { deployment_id, enabled, cron, keep, next_at });
        tx.emit('backup_schedule_updated', subjectsOf(deployment), { enabled, cron, keep, former });
      });
    },
  };
}
