import { createdHeaders, noContent, ok, type Handlers } from '@sluice/http';
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
    async deleteBackup({ caller, params }) {
      await backups.delete(caller, params);
      return noContent();
    },
    async getBackupSchedule({ params }) {
      const { enabled, cron, keep, next_at } = await schedules.get(params);
      return ok({ enabled, cron, keep, next_at: next_at?.toISOString() ?? null });
    },
    async setBackupSchedule({ caller, params, body }) {
      await schedules.set(caller, params, body);
      return noContent();
    },
    async restoreBackup({ caller, params }) {
      await backups.restore(caller, params);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}
