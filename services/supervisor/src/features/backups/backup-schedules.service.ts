import type { Caller } from '@sluice/grants';
import type { BodyOf, ParamsOf } from '@sluice/http';
import type { UnitOfWork } from '@sluice/messaging';
import { fieldProblem, problem } from '@sluice/service';
import type { Database, Transaction } from '../../database/tables.ts';
import type { operations } from '../../generated/api.ts';
import type { LookForBackups } from '../../volume-drivers.ts';
import { findSchedule, storeSchedule, type BackupSchedule } from '../../stores/backup-schedules.store.ts';
import { getDeployment, lockDeployment, subjectsOf } from '../../stores/deployments.store.ts';
import { cronIssue, nextTime } from '../../volume-work/cron.ts';
import { limit, requireBackups } from './backup-rules.ts';

export interface BackupSchedulesOptions {
  database: Database;
  work: UnitOfWork<Transaction>;
  lookForBackups: LookForBackups;
  now: () => Date;
}

type DeploymentPath = ParamsOf<operations['getBackupSchedule']>;
type Shown = Omit<BackupSchedule, 'deployment_id'>;

/** what is shown where nobody has set anything: each night, for a week */
const unset: Shown = { enabled: false, cron: '0 3 * * *', keep: 7, next_at: null };

const settingsOf = (stored: BackupSchedule | undefined) =>
  stored ? { enabled: stored.enabled, cron: stored.cron, keep: stored.keep } : null;

export type BackupSchedulesService = ReturnType<typeof backupSchedulesService>;

/** When backups are taken by themselves (completions, "implied operations"). */
export function backupSchedulesService({ database, work, lookForBackups, now }: BackupSchedulesOptions) {
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
      const kept = await lookForBackups();
      await work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deployment_id);
        const { most } = requireBackups(deployment, kept);
        const issue = cronIssue(cron, now());
        if (issue !== null) throw fieldProblem('cron', 'wrong_format', issue);
        if (keep > most) throw limit('deployment_backups_limit', most);
        if (deployment.deleted_by)
          throw problem('state_conflict', { detail: 'The deployment is being deleted.' });
        const former = settingsOf(await findSchedule(tx.db, deployment_id));
        const next_at = enabled ? nextTime(cron, now()) : null;
        await storeSchedule(tx.db, { deployment_id, enabled, cron, keep, next_at });
        tx.emit('backup_schedule_updated', subjectsOf(deployment), {
          ...{ enabled, cron, keep },
          former,
        });
      });
    },
  };
}
