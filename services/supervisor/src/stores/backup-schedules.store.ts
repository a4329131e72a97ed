import { statusesThatAre, type DeploymentId } from '@sluice/contracts';
import { sql, type Selectable } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';

/** When backups of deployments are taken by themselves. */

export type BackupSchedule = Selectable<Tables['backup_schedules']>;

export async function findSchedule(
  db: Database,
  deploymentId: DeploymentId,
): Promise<BackupSchedule | undefined> {
  return await db
    .selectFrom('backup_schedules')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .executeTakeFirst();
}

export async function storeSchedule(db: Database, schedule: BackupSchedule): Promise<void> {
  const { deployment_id, ...changes } = schedule;
  await db
    .insertInto('backup_schedules')
    .values({ deployment_id, ...changes })
    .onConflict((conflict) => conflict.column('deployment_id').doUpdateSet(changes))
    .execute();
}

/** The next time; null: never again. */
export async function setNextTime(db: Database, deploymentId: DeploymentId, at: Date | null): Promise<void> {
  await db
    .updateTable('backup_schedules')
    .set({ next_at: at })
    .where('deployment_id', '=', deploymentId)
    .execute();
}

/** Deployments whose time has come and that can be backed up now, longest overdue first (backup_schedules_due). */
export async function listDueSchedules(db: Database, now: Date, limit: number): Promise<DeploymentId[]> {
  const { rows } = await sql<{ id: DeploymentId }>`
    SELECT deployment_id AS id FROM backup_schedules JOIN deployments ON id = deployment_id
    WHERE next_at <= ${now} AND deleted_by IS NULL AND status = ANY(${statusesThatAre('acceptsTasks')})
      AND NOT EXISTS (SELECT FROM volume_work WHERE volume_work.deployment_id = deployments.id)
    ORDER BY next_at LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}
