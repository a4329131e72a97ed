import type { BackupId, DeploymentId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { sql, type Insertable, type Selectable, type UpdateObject } from 'kysely';
import { clock, hasChanged, isFound } from './queries.ts';
import type { CopyPlace, Database, Tables, VolumeCopy } from './tables.ts';

/** Copies of what deployments have stored. Times are the database's. */

export type Backup = Selectable<Tables['backups']>;

/** characters */
const longestError = 1_000;
/** failed ones that are kept of a deployment */
const mostFailed = 20;

export interface NewBackup extends Pick<
  Insertable<Tables['backups']>,
  'name' | 'backup_type' | 'node_id' | 'remarks' | 'created_by' | 'upgrade_id'
> {
  deployment_id: DeploymentId;
  by_schedule?: boolean;
  /** null: for ever */
  expiresInDays: number | null;
}

export async function insertBackup(db: Database, { expiresInDays, ...backup }: NewBackup): Promise<Backup> {
  const expires_at =
    expiresInDays === null ? null : sql<Date>`clock_timestamp() + make_interval(days => ${expiresInDays})`;
  return await db
    .insertInto('backups')
    .values({ ...backup, expires_at })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Those of a deployment, or those of a type alone, newest first (backups_by_deployment). */
export async function listBackups(
  db: Database,
  deploymentId: DeploymentId,
  type?: Backup['backup_type'],
): Promise<Backup[]> {
  const all = db.selectFrom('backups').selectAll().where('deployment_id', '=', deploymentId);
  const found = type === undefined ? all : all.where('backup_type', '=', type);
  return await found.orderBy('id', 'desc').execute();
}

/** @throws Problem `not_found` */
export async function getBackup(db: Database, deploymentId: DeploymentId, id: BackupId): Promise<Backup> {
  const backup = await db
    .selectFrom('backups')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!backup) throw problem('not_found');
  return backup;
}

/** bytes; 0 until it is whole */
export const sizeOf = ({ copies }: Pick<Backup, 'copies'>) =>
  copies.reduce((sum, { bytes }) => sum + (bytes ?? 0), 0);

/** The data of events about a backup. */
export function eventOf({ id, name, backup_type, remarks }: Backup) {
  return { backup_id: id, name, backup_type, ...(remarks !== null && { description: remarks }) };
}

/**
 * How many there are of a deployment that are whole, or may become so, and how many of these its schedule has taken. Those that were taken
 * before upgrades by themselves do not count.
 */
export async function countBackups(
  db: Database,
  deploymentId: DeploymentId,
): Promise<{ all: number; bySchedule: number }> {
  const { rows } = await sql<{ all: number; bySchedule: number }>`
    SELECT count(*) AS all, count(*) FILTER (WHERE by_schedule) AS "bySchedule"
    FROM backups
    WHERE deployment_id = ${deploymentId} AND status IN ('pending', 'in_progress', 'completed')
      AND upgrade_id IS NULL`.execute(db);
  return rows[0] ?? { all: 0, bySchedule: 0 };
}

/** Whether one was taken before this upgrade, failed ones included. */
export const hasBackupBefore = (db: Database, deploymentId: DeploymentId, upgradeId: string) =>
  isFound(
    db
      .selectFrom('backups')
      .select('id')
      .where('deployment_id', '=', deploymentId)
      .where('upgrade_id', '=', upgradeId),
  );

/** The whole ones of a deployment that were taken by its schedule, or else before upgrades, from the newest but `keep` on. */
export const listSurplus = (
  db: Database,
  deploymentId: DeploymentId,
  taken: 'by_schedule' | 'before_upgrades',
  keep: number,
) =>
  db
    .selectFrom('backups')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('status', '=', 'completed')
    .where(taken === 'by_schedule' ? sql<boolean>`by_schedule` : sql<boolean>`upgrade_id IS NOT NULL`)
    .orderBy('id', 'desc')
    .offset(keep)
    .execute();

/** How many backups there are in the region, by status. */
export const countBackupsByStatus = (db: Database) =>
  db
    .selectFrom('backups')
    .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
    .groupBy('status')
    .execute();

/** What there is to know of a deployment whose copies are elsewhere, once it is gone; null for one of the region's own nodes. */
const placeOfCopies = sql<string | null>`(
  SELECT jsonb_build_object(
    'byoc_driver', byoc_driver, 'access', spec -> 'cloud_access' -> (spec ->> 'cloud'),
    'deployment', coalesce(uid::text, 'id-' || deployments.id), 'tenant_id', tenant_id
  )
  FROM deployments WHERE deployments.id = deployment_id AND byoc_driver IS NOT NULL
)`;

/** The volumes are about to be copied. */
export const beginBackup = (db: Database, id: BackupId, copies: readonly VolumeCopy[]) =>
  changeBackup(db, id, {
    ...{ status: 'in_progress', copies: JSON.stringify(copies), place: placeOfCopies, started_at: clock },
  });

export const completeBackup = (db: Database, id: BackupId, copies: readonly VolumeCopy[]) =>
  changeBackup(db, id, { status: 'completed', copies: JSON.stringify(copies), completed_at: clock });

async function changeBackup(db: Database, id: BackupId, changes: UpdateObject<Tables, 'backups'>) {
  await db.updateTable('backups').set(changes).where('id', '=', id).execute();
}

/** What there is of its copies is removed by the next upkeep; of those that have failed the newest are kept. */
export async function failBackup(db: Database, { id, deployment_id }: Backup, error: string): Promise<void> {
  await changeBackup(db, id, { status: 'failed', error: error.slice(0, longestError) });
  await sql`
    UPDATE backups SET status = 'deleting' WHERE deployment_id = ${deployment_id} AND status = 'failed' AND id <= (
      SELECT id FROM backups WHERE deployment_id = ${deployment_id} AND status = 'failed'
      ORDER BY id DESC OFFSET ${mostFailed} LIMIT 1
    )`.execute(db);
}

/** It goes, and its copies with it. @returns false when it was to go already */
export const markUnwanted = (db: Database, id: BackupId) =>
  hasChanged(
    db
      .updateTable('backups')
      .set({ status: 'deleting' })
      .where('id', '=', id)
      .where('status', '<>', 'deleting'),
  );

/** Those whose copies are to be removed, oldest first (backups_unwanted). */
export const listUnwanted = (db: Database, limit: number, except: readonly BackupId[]) =>
  db
    .selectFrom('backups')
    .selectAll()
    .where(
      sql<boolean>`(status = 'deleting' OR deployment_id IS NULL OR status = 'failed' AND copies <> '[]')`,
    )
    // the replica that works on it may still write
    .where(sql<boolean>`NOT EXISTS (SELECT FROM volume_work WHERE volume_work.backup_id = backups.id)`)
    .where(sql<boolean>`NOT id = ANY(${except})`)
    .orderBy('id')
    .limit(limit)
    .execute();

/** Nothing of its copies is left: one that has failed stays, to be read. */
export async function forgetCopies(db: Database, { id }: Backup): Promise<void> {
  await db
    .deleteFrom('backups')
    .where('id', '=', id)
    .where(sql<boolean>`(status = 'deleting' OR deployment_id IS NULL)`)
    .execute();
  await db
    .updateTable('backups')
    .set({ copies: '[]' })
    .where('id', '=', id)
    .where('status', '=', 'failed')
    .execute();
}

/** Those that have expired and are not being restored from (backups_by_expiry). */
export async function listExpired(
  db: Database,
  limit: number,
): Promise<{ id: BackupId; deployment_id: DeploymentId }[]> {
  const { rows } = await sql<{ id: BackupId; deployment_id: DeploymentId }>`
    SELECT id, deployment_id FROM backups
    WHERE expires_at <= statement_timestamp() AND status IN ('completed', 'failed') AND deployment_id IS NOT NULL
      AND NOT EXISTS (SELECT FROM volume_work WHERE backup_id = backups.id)
    ORDER BY expires_at LIMIT ${limit}`.execute(db);
  return rows;
}

/** Where a copy is, by its id (`<backup>-<node>-…`); null for the region's own, undefined when no backup has it. */
export async function findCopyPlace(db: Database, copy: string): Promise<CopyPlace | null | undefined> {
  const { rows } = await sql<{ place: CopyPlace | null }>`
    SELECT place FROM backups
    WHERE id = ${copy.split('-', 1)[0]}::bigint AND copies @> ${JSON.stringify([{ snapshot_id: copy }])}::jsonb`.execute(
    db,
  );
  return rows[0]?.place;
}

/** Which of these ids are those of no copy that there shall be. */
export async function unknownCopies(db: Database, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT found.id FROM unnest(${ids}::text[]) AS found (id)
    WHERE NOT EXISTS (SELECT FROM backups, jsonb_array_elements(copies) AS copy WHERE copy ->> 'snapshot_id' = found.id)`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}
