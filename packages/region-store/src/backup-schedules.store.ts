import { statusesThatAre, type DeploymentId } from '@sluice/contracts';
import { sql, type Selectable } from 'kysely';
import { changeOf, findOf, putOf } from './rows.ts';
import type { Database, Tables } from './tables.ts';

/** When backups of deployments are taken by themselves. */

export type BackupSchedule = Selectable<Tables['backup_schedules']>;

export const findSchedule = (db: Database, id: DeploymentId) => findOf(db, 'backup_schedules', id);

export const storeSchedule = (db: Database, schedule: BackupSchedule) =>
  putOf(db, 'backup_schedules', schedule);

/** The next time; null: never again. */
export const setNextTime = (db: Database, id: DeploymentId, at: Date | null) =>
  changeOf(db, 'backup_schedules', id, { next_at: at });

/** Deployments whose time has come and that can be backed up now, longest overdue first (backup_schedules_due). */
export async function listDueSchedules(db: Database, now: Date, limit: number): Promise<DeploymentId[]> {
  const { rows } = await sql<{ id: DeploymentId }>`
    SELECT deployment_id AS id FROM backup_schedules JOIN deployments ON id = deployment_id
    WHERE next_at <= ${now} AND deleted_by IS NULL AND status = ANY(${statusesThatAre('acceptsTasks')})
      AND NOT EXISTS (SELECT FROM volume_work WHERE volume_work.deployment_id = deployments.id)
    ORDER BY next_at LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}
