import { createdHeaders, done, noContent, ok, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import { backupView } from './backup-view.ts';
import type { BackupSchedulesService } from './backup-schedules.service.ts';
import type { BackupsService } from './backups.service.ts';

export function backupsOperations(
  backups: BackupsService,
  schedules: BackupSchedulesService,
  region: string,
) {
  return {
    async listBackups({ params, query }) {
      return ok((await backups.list(params, query)).map((backup) => backupView(backup, region)));
    },
    async createBackup({ caller, params, body }) {
      const { id } = await backups.create(caller, params, body);
      const location = `/deployments/${params.deployment_id}/backups/${id}`;
      return { ...noContent(), headers: createdHeaders('backup', id, location) };
    },
    async getBackup({ params }) {
      return ok(backupView(await backups.get(params), region));
    },
    deleteBackup: ({ caller, params }) => done(backups.delete(caller, params)),
    async getBackupSchedule({ params }) {
      const { enabled, cron, keep, next_at } = await schedules.get(params);
      return ok({ enabled, cron, keep, next_at: next_at?.toISOString() ?? null });
    },
    setBackupSchedule: ({ caller, params, body }) => done(schedules.set(caller, params, body)),
    restoreBackup: ({ caller, params }) => done(backups.restore(caller, params)),
  } satisfies Partial<Handlers<operations>>;
}
