import type { DeploymentId, TenantId } from '@sluice/contracts';
import { sql } from 'kysely';
import { clock, isFound } from './queries.ts';
import { channels, notify, notifyAll } from './signals.ts';
import { changeOf } from './rows.ts';
import type { Database } from './tables.ts';

/** The reconciler's queue: when it turns to a deployment again, who is at work on it, and what has failed. */

/** A deployment whose time has come. */
export interface Due {
  id: DeploymentId;
  tenantId: TenantId;
  /** whether its last step failed or took long */
  slow: boolean;
}

/** stable, unlike the time of the clock: only so can the index by `due_at` be used */
const isDue = sql<boolean>`due_at <= statement_timestamp()`;
const free = sql<boolean>`(leased_until IS NULL OR leased_until <= clock_timestamp())`;

/**
 * At most `limit` deployments that are due and not leased, and as many again that are slow: of each tenant the longest
 * overdue, then of each the second, and so on; of a tenant's, deletions first. Reads only what is due (reconciliations_by_due_at).
 */
export async function listDue(db: Database, limit: number): Promise<Due[]> {
  const { rows } = await sql<Due>`
    WITH due AS (
      SELECT deployment_id, tenant_id, due_at, failures > 0 OR slow AS slow, deleted_by IS NULL AS wanted
      FROM reconciliations JOIN deployments ON id = deployment_id
      WHERE ${isDue} AND ${free}
    ), of_tenant AS (
      SELECT *, row_number() OVER (PARTITION BY slow, tenant_id ORDER BY wanted, due_at) AS turn FROM due
    ), of_all AS (
      SELECT *, row_number() OVER (PARTITION BY slow ORDER BY turn, wanted, due_at) AS place FROM of_tenant
    )
    SELECT deployment_id AS id, tenant_id AS "tenantId", slow FROM of_all
    WHERE place <= ${limit} ORDER BY place`.execute(db);
  return rows;
}

/** How much waits for the reconcilers of the region, and for how long. */
export async function measureQueue(db: Database): Promise<{ due: number; overdueSeconds: number }> {
  const { rows } = await sql<{ due: number; overdueSeconds: number }>`
    SELECT count(*) AS due, coalesce(extract(epoch FROM clock_timestamp() - min(due_at)), 0)::float8 AS "overdueSeconds"
    FROM reconciliations WHERE ${isDue} AND ${free}`.execute(db);
  return rows[0] ?? { due: 0, overdueSeconds: 0 };
}

export async function insertReconciliation(
  db: Database,
  deploymentId: DeploymentId,
  now: Date,
): Promise<void> {
  await db.insertInto('reconciliations').values({ deployment_id: deploymentId, due_at: now }).execute();
}

/**
 * Has the reconciler turn to the deployment at once, also when it is at work on it now: then once more. Polling finds it
 * even if the notification is lost.
 */
export async function scheduleNow(db: Database, deploymentId: DeploymentId, now: Date): Promise<void> {
  // a clock that is ahead of the database's must not put it off
  const due_at = sql<Date>`least(${now}::timestamptz, clock_timestamp())`;
  await changeOf(db, 'reconciliations', deploymentId, { due_at });
  await notify(db, channels.due, deploymentId);
}

/** Has the reconciler turn to all of them at once, in one order, so that two who do this do not wait for each other in a round. */
export async function scheduleAllNow(
  db: Database,
  deploymentIds: readonly DeploymentId[],
  now: Date,
): Promise<void> {
  await sql`
    WITH due AS (
      SELECT deployment_id FROM reconciliations
      WHERE deployment_id = ANY(${deploymentIds}) ORDER BY deployment_id FOR UPDATE
    )
    UPDATE reconciliations SET due_at = least(${now}::timestamptz, clock_timestamp()) FROM due
    WHERE reconciliations.deployment_id = due.deployment_id`.execute(db);
  await notifyAll(db, channels.due, deploymentIds);
}

/** Forgets the failures, and has the reconciler turn to the deployment at once. */
export async function retryNow(db: Database, deploymentId: DeploymentId, now: Date): Promise<void> {
  await changeOf(db, 'reconciliations', deploymentId, { failures: 0, slow: false });
  await scheduleNow(db, deploymentId, now);
}

/** Records that a reason has been reported now. */
export const markReported = (db: Database, id: DeploymentId) =>
  changeOf(db, 'reconciliations', id, { reported_at: clock });

/** The right to work on a deployment, until it ends or another replica has taken it. */
export interface LeaseKey {
  deploymentId: DeploymentId;
  /** larger than that of every lease of the deployment before */
  fence: number;
}

export interface TakenLease extends LeaseKey {
  /** steps that failed in a row, and why the last one did since the status changed */
  failures: number;
  lastError: string | null;
  /** how long the deployment has been in the status that it entered at `activeSince`, as far as a supervisor was there */
  activeSeconds: number;
  activeSince: Date;
  /** seconds since a reason was last reported; null: never */
  reportedSecondsAgo: number | null;
}

/** the longest time between two looks that counts, in seconds: the clock may have jumped */
const longestLook = 120;

/**
 * Takes a deployment that is due and free. Undefined when it is not, or no more. From one look to the next the time counts as active that
 * was planned, and a second more; what goes beyond it counts as absence.
 */
export async function takeLease(
  db: Database,
  deploymentId: DeploymentId,
  holder: string,
  seconds: number,
): Promise<TakenLease | undefined> {
  const { rows } = await sql<Omit<TakenLease, 'deploymentId'>>`
    UPDATE reconciliations
    SET fence = fence + 1, leased_by = ${holder}, leased_until = lease.ends_at, due_at = lease.ends_at,
        active_seconds = CASE WHEN active_since = status_changed_at THEN active_seconds + greatest(0, least(
          extract(epoch FROM least(lease.begins_at, due_at + interval '1 second') - active_at), ${longestLook})) ELSE 0 END,
        active_since = status_changed_at, active_at = lease.begins_at
    FROM deployments, (SELECT clock_timestamp() + ${seconds} * interval '1 second' AS ends_at,
                              clock_timestamp() AS begins_at) AS lease
    WHERE deployment_id = ${deploymentId} AND deployments.id = deployment_id
      AND due_at <= clock_timestamp() AND ${free}
    RETURNING fence, failures, last_error AS "lastError", active_seconds AS "activeSeconds", active_since AS "activeSince",
      extract(epoch FROM clock_timestamp() - reported_at)::float8 AS "reportedSecondsAgo"`.execute(db);
  return rows[0] && { deploymentId, ...rows[0] };
}

/** Extends leases. @returns the deployments of those that are still held */
export async function renewLeases(
  db: Database,
  leases: readonly LeaseKey[],
  seconds: number,
): Promise<DeploymentId[]> {
  const held = leases.map(({ deploymentId, fence }) => ({ id: deploymentId, fence }));
  const { rows } = await sql<{ id: DeploymentId }>`
    WITH renewed AS (
      SELECT deployment_id, clock_timestamp() + ${seconds} * interval '1 second' AS ends_at
      FROM reconciliations
      JOIN jsonb_to_recordset(${JSON.stringify(held)}::jsonb) AS held (id bigint, fence bigint)
        ON deployment_id = held.id AND reconciliations.fence = held.fence
      -- in the order in which many are woken
      ORDER BY deployment_id FOR UPDATE OF reconciliations
    )
    UPDATE reconciliations
    SET leased_until = ends_at, due_at = CASE WHEN due_at = leased_until THEN ends_at ELSE due_at END
    FROM renewed WHERE reconciliations.deployment_id = renewed.deployment_id
    RETURNING reconciliations.deployment_id AS id`.execute(db);
  return rows.map(({ id }) => id);
}

/** Whether the lease is the deployment's newest; it stays so until the transaction ends. */
export const lockLease = (db: Database, lease: LeaseKey) => isFound(leasesOf(db, lease).forUpdate());

/** Whether the lease is the deployment's newest at this moment. */
export const isHeld = (db: Database, lease: LeaseKey) => isFound(leasesOf(db, lease));

const leasesOf = (db: Database, { deploymentId, fence }: LeaseKey) =>
  db
    .selectFrom('reconciliations')
    .select('fence')
    .where('deployment_id', '=', deploymentId)
    .where('fence', '=', fence);

/** How the work under a lease ended. */
export interface ReconcileOutcome {
  /** when the reconciler turns to the deployment again, unless it is woken; from now on */
  seconds: number;
  /** steps that failed in a row */
  failures: number;
  lastError: string | null;
  slow: boolean;
}

/**
 * Gives a lease back; without effect once another replica has taken it.
 * @returns whether the deployment is due at once, since it was woken meanwhile
 */
export async function releaseLease(
  db: Database,
  { deploymentId, fence }: LeaseKey,
  { seconds, failures, lastError, slow }: ReconcileOutcome,
): Promise<boolean> {
  const { rows } = await sql<{ due: boolean }>`
    UPDATE reconciliations
    SET leased_by = NULL, leased_until = NULL, failures = ${failures}, last_error = ${lastError}, slow = ${slow},
        due_at = CASE WHEN due_at = leased_until THEN clock_timestamp() + ${seconds} * interval '1 second' ELSE due_at END
    WHERE deployment_id = ${deploymentId} AND fence = ${fence}
    RETURNING due_at <= clock_timestamp() AS due`.execute(db);
  return rows[0]?.due ?? false;
}
