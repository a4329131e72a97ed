import type { Cause, DeploymentId, DeploymentSpec, DeploymentStatus } from '@sluice/contracts';
import type { Subjects } from '@sluice/messaging';
import { problem } from '@sluice/service';
import { activeTraceparent } from '@sluice/system/tracing';
import { sql, type Selectable, type Updateable } from 'kysely';
import { clock, hasChanged } from './queries.ts';
import { channels, notify } from './signals.ts';
import type { Database, Tables } from './tables.ts';
import type { ByocDriver } from '@sluice/drivers';

export type Deployment = Selectable<Tables['deployments']>;

export const findDeployment = (db: Database, id: DeploymentId) =>
  db.selectFrom('deployments').selectAll().where('id', '=', id).executeTakeFirst();

/** @throws Problem `not_found`, also when it was deleted since the request was authorized */
export async function getDeployment(db: Database, id: DeploymentId): Promise<Deployment> {
  const deployment = await findDeployment(db, id);
  if (!deployment) throw problem('not_found');
  return deployment;
}

/** The deployment, locked until the transaction ends. */
export const findLocked = (db: Database, id: DeploymentId) =>
  db.selectFrom('deployments').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();

/** Locks the deployment until the transaction ends. @throws Problem `not_found` */
export async function lockDeployment(db: Database, id: DeploymentId): Promise<Deployment> {
  const deployment = await findLocked(db, id);
  if (!deployment) throw problem('not_found');
  return deployment;
}

/** By which a message is matched with a deployment. */
export interface KnownDeployment {
  id: DeploymentId;
  uid: string;
  /** since when main-api is known not to know it */
  unknownSince: Date | null;
}

/** Which deployment has this id, and which others have nodes with one of these. Locks none of them. */
export async function findKnown(db: Database, id: DeploymentId): Promise<KnownDeployment | undefined> {
  const row = await db
    .selectFrom('deployments')
    .select(['uid', 'unknown_since'])
    .where('id', '=', id)
    .executeTakeFirst();
  return row && { id, uid: row.uid, unknownSince: row.unknown_since };
}

/** The subjects of events about a deployment. */
export function subjectsOf({ id, uid, spec }: Pick<Deployment, 'id' | 'uid' | 'spec'>): Subjects {
  const { name, tenant_id, division, environment } = spec;
  return { tenant_id, division, environment, deployment: { id, name, uid } };
}

/** How events name a deployment. */
export const nameAndCode = ({ spec: { name, code } }: Pick<Deployment, 'spec'>) => ({ name, code });

/** From now on nothing is reported of the deployment; its broker goes on. @returns since when */
export async function markUnknown(db: Database, id: DeploymentId, now: Date): Promise<Date> {
  const { unknown_since } = await db
    .updateTable('deployments')
    .set({ unknown_since: sql<Date>`coalesce(unknown_since, ${now})` })
    .where('id', '=', id)
    .returning('unknown_since')
    .executeTakeFirstOrThrow();
  return unknown_since ?? now;
}

/** Where a deployment belongs that main-api knows; `id` is any number of up to 63 bits, as a path has it. */
export const findPlace = (db: Database, id: string) =>
  db
    .selectFrom('deployments')
    .select(['tenant_id as tenant', 'division_id as division', 'environment_id as environment'])
    .where(sql<boolean>`id = ${id}::bigint`)
    .where('unknown_since', 'is', null)
    .executeTakeFirst();

/** Makes the commands of one deployment wait for each other until their transactions end. */
export async function lockCommands(db: Database, id: DeploymentId): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('command', ${id}))`.execute(db);
}

export interface NewDeployment {
  generation: number;
  spec: DeploymentSpec;
  cause: Cause;
  credentials: { username: string; sealed_password: string };
  /** whether its clients come without TLS unless a configuration says otherwise */
  plainText: boolean;
  /** what makes its nodes; null for what makes the region's own */
  byocDriver: ByocDriver | null;
  /** of its first status */
  version: number;
  now: Date;
}

/** What follows from the change becomes a part of its trace. */
const tracedNow = () => ({
  traceparent: activeTraceparent() ?? null,
  traced_at: clock,
});

/** The same of a deployment that is there; what its own trace has led to begins no other. */
function tracedAnew() {
  const { traceparent, traced_at } = tracedNow();
  // by the ids of the traces
  const goesOn = sql<boolean>`substr(deployments.traceparent, 4, 32) = substr(${traceparent}::text, 4, 32)`;
  return {
    traceparent: sql<
      string | null
    >`CASE WHEN ${goesOn} THEN deployments.traceparent ELSE ${traceparent}::text END`,
    traced_at: sql<Date | null>`CASE WHEN ${goesOn} THEN deployments.traced_at ELSE ${traced_at} END`,
  };
}

/** for how long what follows from a change belongs to its trace; what comes later has other causes. Milliseconds */
const traceMilliseconds = 15 * 60_000;

/** The trace of what has changed a deployment last, where that is not long ago. */
export function traceOf({
  traceparent,
  traced_at,
}: Pick<Deployment, 'traceparent' | 'traced_at'>): string | undefined {
  if (traceparent === null || traced_at === null) return undefined;
  return Date.now() - traced_at.getTime() < traceMilliseconds ? traceparent : undefined;
}

export async function insertDeployment(
  db: Database,
  { generation, spec, cause, credentials, plainText, byocDriver, version, now }: NewDeployment,
): Promise<void> {
  await db
    .insertInto('deployments')
    .values({
      id: spec.id,
      uid: spec.uid,
      generation,
      spec: JSON.stringify(spec),
      created_by: JSON.stringify(cause),
      ...credentials,
      plain_text: plainText,
      byoc_driver: byocDriver,
      revision: currentRevision,
      ...tracedNow(),
      status: 'creating',
      status_version: version,
      status_changed_at: now,
    })
    .execute();
}

/** Stores a newer generation. @returns whether it is one */
export const updateSpec = (db: Database, generation: number, spec: DeploymentSpec) =>
  hasChanged(
    db
      .updateTable('deployments')
      .set({ generation, spec: JSON.stringify(spec) })
      .where('id', '=', spec.id)
      .where('generation', '<', generation),
  );

/** A command other than a spec had this generation; shapes before it may still be on their way. */
export async function passGeneration(db: Database, id: DeploymentId, generation: number): Promise<void> {
  await db
    .updateTable('deployments')
    .set({ generation })
    .where('id', '=', id)
    .where('generation', '=', generation - 1)
    .execute();
}

/** @returns false when it was to be deleted before */
export const markForDeletion = (db: Database, id: DeploymentId, cause: Cause) =>
  hasChanged(
    db
      .updateTable('deployments')
      .set({ deleted_by: JSON.stringify(cause), access_question: null, ...tracedAnew() })
      .where('id', '=', id)
      .where('deleted_by', 'is', null),
  );

/**
 * Revisions go with the time, in milliseconds: should the database be restored from an older copy, none comes again that an agent has
 * already, with other contents.
 */
export const currentRevision = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/**
 * Raises the revision of the desired state of the deployment's agents, and notifies them. The row stays locked until the
 * transaction ends, so changes of one deployment happen one after the other.
 */
export async function raiseRevision(db: Database, id: DeploymentId): Promise<number> {
  const { revision } = await db
    .updateTable('deployments')
    .set({ revision: sql<number>`greatest(revision + 1, ${currentRevision})`, ...tracedAnew() })
    .where('id', '=', id)
    .returning('revision')
    .executeTakeFirstOrThrow();
  await notify(db, channels.desired, id);
  return revision;
}

/** Stores a new reason of the status, or a new status with its reason. Each change has a version of its own. */
export const setStatus = (
  db: Database,
  id: DeploymentId,
  reason: string | null,
  entered?: { status: DeploymentStatus; at: Date },
) =>
  db
    .updateTable('deployments')
    .set((row) => ({
      ...(entered && { status: entered.status, status_changed_at: entered.at }),
      status_reason: reason,
      status_version: row('status_version', '+', 1),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Gives the status that a deployment has a version above `above`, so that it counts although another was heard of since. */
export const renumberStatus = (db: Database, id: DeploymentId, above: number) =>
  db
    .updateTable('deployments')
    .set({ status_version: sql<number>`greatest(status_version, ${above}::bigint) + 1` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();

/** Stores what no other statement depends on. What agents receive of it comes with the next revision. */
export async function changeDeployment(
  db: Database,
  id: DeploymentId,
  changes: Pick<
    Updateable<Tables['deployments']>,
    | 'subnet'
    | 'username'
    | 'sealed_password'
    | 'limited_until'
    | 'unknown_since'
    | 'access_question'
    | 'access_revision'
  >,
): Promise<void> {
  await db.updateTable('deployments').set(changes).where('id', '=', id).execute();
}

/** How many deployments are in each status, and for how many seconds one of them has been at most. Reads all of a region's. */
export const countByStatus = (db: Database) =>
  db
    .selectFrom('deployments')
    .select(['status', ({ fn }) => fn.countAll<number>().as('count')])
    .select(
      sql<number>`greatest(0, extract(epoch FROM now() - min(status_changed_at)))::float8`.as('seconds'),
    )
    .groupBy('status')
    .execute();

/** Deletes the deployment; its nodes, rules, records and everything else that is stored with it go along. */
export async function deleteDeployment(db: Database, id: DeploymentId): Promise<void> {
  await db.deleteFrom('deployments').where('id', '=', id).execute();
}
