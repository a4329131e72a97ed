import type { BackupId, Cause, DeploymentId } from '@sluice/contracts';
import { sql, type Selectable } from 'kysely';
import { inSeconds, isFound } from './queries.ts';
import { channels, notify } from './signals.ts';
import { changeOf, findOf } from './rows.ts';
import type { Database, FormerState, Tables, VolumeStep } from './tables.ts';

/** What is being done with the volumes of deployments: a backup or a restore, one at a time of each. Times are the database's. */

export type VolumeWork = Selectable<Tables['volume_work']>;

/** The right to go on with it, until it ends or another replica has it. What comes after it counts its own fences. */
export type WorkKey = Pick<VolumeWork, 'deployment_id' | 'run' | 'fence'>;

/** @throws a violation of its primary key when something is being done already */
export async function insertVolumeWork(
  db: Database,
  work: { deploymentId: DeploymentId; backupId: BackupId; kind: VolumeWork['kind']; cause: Cause },
): Promise<void> {
  await db
    .insertInto('volume_work')
    .values({
      deployment_id: work.deploymentId,
      backup_id: work.backupId,
      kind: work.kind,
      step: work.kind === 'backup' ? 'waiting' : 'staging',
      created_by: JSON.stringify(work.cause),
    })
    .execute();
  await notify(db, channels.volumes, work.deploymentId);
}

export const findVolumeWork = (db: Database, id: DeploymentId) => findOf(db, 'volume_work', id);

/** Leases at most `limit` that are due and that no replica holds. */
export async function leaseVolumeWork(db: Database, leaseSeconds: number, limit: number) {
  const { rows } = await sql<VolumeWork>`
    UPDATE volume_work SET fence = fence + 1, leased_until = ${inSeconds(leaseSeconds)}
    WHERE deployment_id = ANY (ARRAY(
      SELECT deployment_id FROM volume_work
      WHERE (leased_until IS NULL OR leased_until <= clock_timestamp())
        AND (next_attempt_at IS NULL OR next_attempt_at <= clock_timestamp())
      ORDER BY leased_until NULLS FIRST, next_attempt_at NULLS FIRST LIMIT ${limit} FOR UPDATE SKIP LOCKED
    ))
    RETURNING *`.execute(db);
  return rows;
}

/** Extends leases. @returns the runs of those that are still held */
export async function renewVolumeLeases(db: Database, work: readonly WorkKey[], leaseSeconds: number) {
  const held = work.map(({ run, fence }) => ({ run, fence }));
  const { rows } = await sql<{ run: string }>`
    UPDATE volume_work SET leased_until = ${inSeconds(leaseSeconds)}
    FROM jsonb_to_recordset(${JSON.stringify(held)}::jsonb) AS held (run uuid, fence bigint)
    WHERE volume_work.run = held.run AND volume_work.fence = held.fence
    RETURNING volume_work.run`.execute(db);
  return rows.map(({ run }) => run);
}

const isHeldBy = ({ run, fence }: WorkKey) => sql<boolean>`run = ${run} AND fence = ${fence}`;

/** Lets any replica go on in a while. */
export async function pauseVolumeWork(db: Database, key: WorkKey, seconds: number): Promise<void> {
  await db
    .updateTable('volume_work')
    .set({ leased_until: null, next_attempt_at: inSeconds(seconds), pauses: sql<number>`pauses + 1` })
    .where(isHeldBy(key))
    .execute();
}

/** Lets another replica go on at once. */
export async function releaseVolumeLease(db: Database, key: WorkKey): Promise<void> {
  await db.updateTable('volume_work').set({ leased_until: null }).where(isHeldBy(key)).execute();
  await notify(db, channels.volumes, key.deployment_id);
}

/** What is being done, and how long there is until its deadline. */
export type PresentWork = VolumeWork & { secondsLeft: number };

/** As it is now; undefined once it has ended or another replica has it. */
export const readVolumeWork = (db: Database, key: WorkKey) =>
  db
    .selectFrom('volume_work')
    .selectAll()
    .select(
      sql<number>`coalesce(extract(epoch FROM deadline - clock_timestamp()), 'infinity')::float8`.as(
        'secondsLeft',
      ),
    )
    .where(isHeldBy(key))
    .executeTakeFirst();

/** Keeps the lease until the transaction ends. @returns whether it is */
export const lockVolumeWork = (db: Database, key: WorkKey) =>
  isFound(db.selectFrom('volume_work').select('deployment_id').where(isHeldBy(key)).forUpdate());

/** What comes next, and what has to be known for it. */
export interface NextStep {
  step: VolumeStep;
  /** what brokers go back to; null once that was requested */
  formerStates: readonly FormerState[] | null;
  revision: number | null;
  /** seconds from now on; absent: until when was said before */
  within?: number | null;
  failure?: string | null;
}

export const setVolumeStep = (
  db: Database,
  deploymentId: DeploymentId,
  { step, formerStates, revision, within, failure = null }: NextStep,
) =>
  changeOf(db, 'volume_work', deploymentId, {
    ...{ step, revision, failure },
    former_states: formerStates && JSON.stringify(formerStates),
    ...(within !== undefined && { deadline: within === null ? null : inSeconds(within) }),
  });

export async function endVolumeWork(db: Database, deploymentId: DeploymentId): Promise<void> {
  await db.deleteFrom('volume_work').where('deployment_id', '=', deploymentId).execute();
}

/** Which of these are no restores that have not ended. */
export async function unknownRuns(db: Database, runs: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ run: string }>`
    SELECT found.run FROM unnest(${runs}::text[]) AS found (run)
    WHERE NOT EXISTS (SELECT FROM volume_work WHERE volume_work.run::text = found.run)`.execute(db);
  return rows.map(({ run }) => run);
}
