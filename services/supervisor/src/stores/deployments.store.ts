import type {
  Cause,
  DeploymentId,
  DeploymentShape,
  DeploymentStatus,
  DivisionId,
  EnvironmentId,
  TenantId,
} from '@sluice/contracts';
import type { Subjects } from '@sluice/messaging';
import { problem, type Sql } from '@sluice/service';
import { activeTraceparent } from '@sluice/system/tracing';
import { sql, type Selectable } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { channels, notify } from '../database/signals.ts';
import type { Database, Tables } from '../database/tables.ts';
import type { DnsRecord } from './dns-records.store.ts';
import type { ByocDriver } from '../compute/compute-driver.ts';
import { shownColumns, shownNode, type ShownNode } from './nodes.store.ts';

export type Deployment = Selectable<Tables['deployments']>;

export async function findDeployment(db: Database, id: DeploymentId): Promise<Deployment | undefined> {
  return await db.selectFrom('deployments').selectAll().where('id', '=', id).executeTakeFirst();
}

/** @throws Problem `not_found`, also when it was deleted since the request was authorized */
export async function getDeployment(db: Database, id: DeploymentId): Promise<Deployment> {
  const deployment = await findDeployment(db, id);
  if (!deployment) throw problem('not_found');
  return deployment;
}

/** The deployment, locked until the transaction ends. */
export async function findLocked(db: Database, id: DeploymentId): Promise<Deployment | undefined> {
  return await db.selectFrom('deployments').selectAll().where('id', '=', id).forUpdate().executeTakeFirst();
}

export type ActiveConfig = Pick<
  Selectable<Tables['configs']>,
  'id' | 'kind' | 'name' | 'version' | 'runtime_version'
>;

/** What is shown of a deployment with what belongs to it. */
export interface LiveDeployment {
  deployment: Deployment;
  /** in their order */
  nodes: ShownNode[];
  records: DnsRecord[];
  /** those that nodes run by, by kind */
  configs: ActiveConfig[];
  /** those that are not gone, oldest first */
  links: Pick<Selectable<Tables['network_links']>, 'id' | 'name' | 'kind'>[];
  /** by type; JSON, so that their times are texts */
  conditions: (Pick<Selectable<Tables['deployment_conditions']>, 'type' | 'status' | 'reason' | 'message'> & {
    changed_at: string;
  })[];
}

/** One statement. @throws Problem `not_found`, also when it was deleted since the request was authorized */
export async function getLiveDeployment(db: Database, id: DeploymentId): Promise<LiveDeployment> {
  const row = await db
    .selectFrom('deployments')
    .selectAll()
    .select((deployment) => [
      jsonArrayFrom(
        deployment
          .selectFrom('nodes')
          .select(shownColumns)
          .whereRef('deployment_id', '=', 'deployments.id')
          .orderBy('position'),
      ).as('nodes'),
      jsonArrayFrom(
        deployment
          .selectFrom('dns_records')
          .select(['domain', 'address'])
          .whereRef('deployment_id', '=', 'deployments.id')
          .orderBy('domain'),
      ).as('records'),
      jsonArrayFrom(
        deployment
          .selectFrom('configs_in_force')
          .innerJoin('configs', (join) => join.on(sql<boolean>`configs.id = ${runBy}`))
          .select(['configs.id', 'configs.kind', 'name', 'version', 'runtime_version'])
          .whereRef('configs_in_force.deployment_id', '=', 'deployments.id')
          .orderBy('configs.kind'),
      ).as('configs'),
      jsonArrayFrom(
        deployment
          .selectFrom('network_links')
          .select(['network_links.id', 'kind', 'name'])
          .whereRef('deployment_id', '=', 'deployments.id')
          .where('deleted_at', 'is', null)
          .orderBy('network_links.id'),
      ).as('links'),
      jsonArrayFrom(
        deployment
          .selectFrom('deployment_conditions')
          .select(['type', 'deployment_conditions.status', 'reason', 'message', 'changed_at'])
          .whereRef('deployment_id', '=', 'deployments.id')
          .orderBy('type'),
      ).as('conditions'),
    ])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw problem('not_found');
  const { nodes, records, configs, links, conditions, ...deployment } = row;
  return { deployment, nodes: nodes.map(shownNode), records, configs, links, conditions };
}

/** What nodes run by: until the task that has told them of another configuration is done, the one before (tasks_open). */
const underWay = sql`FROM tasks
  WHERE tasks.deployment_id = deployments.id AND tasks.config_id = configs_in_force.config_id
    AND status = 'running' AND finished_at IS NULL`;
const runBy = sql`CASE
  WHEN EXISTS (SELECT ${underWay}) THEN (SELECT former_config_id ${underWay} LIMIT 1)
  ELSE configs_in_force.config_id END`;

/** Locks the deployment until the transaction ends. @throws Problem `not_found` */
export async function lockDeployment(db: Database, id: DeploymentId): Promise<Deployment> {
  const deployment = await findLocked(db, id);
  if (!deployment) throw problem('not_found');
  return deployment;
}

/** What there is to know of a deployment to tell whether a message is about it. */
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

/** What events about a deployment tell of it. */
export function subjectsOf({ id, uid, shape }: Pick<Deployment, 'id' | 'uid' | 'shape'>): Subjects {
  const { name, tenant_id, division, environment } = shape;
  return { tenant_id, division, environment, deployment: { id, name, uid } };
}

/** From now on nobody is told of the deployment; its broker goes on. @returns since when */
export async function markUnknown(db: Database, id: DeploymentId, now: Date): Promise<Date> {
  const { unknown_since } = await db
    .updateTable('deployments')
    .set({ unknown_since: sql<Date>`coalesce(unknown_since, ${now})` })
    .where('id', '=', id)
    .returning('unknown_since')
    .executeTakeFirstOrThrow();
  return unknown_since ?? now;
}

/** main-api knows the deployment, and so may those who ask for it. */
export async function markKnown(db: Database, id: DeploymentId): Promise<void> {
  await db.updateTable('deployments').set({ unknown_since: null }).where('id', '=', id).execute();
}

export interface Place {
  tenant: TenantId;
  division: DivisionId;
  environment: EnvironmentId;
}

/** Where a deployment belongs that main-api knows; `id` is any number of up to 63 bits, as a path has it. */
export async function findPlace(db: Database, id: string): Promise<Place | undefined> {
  return await db
    .selectFrom('deployments')
    .select(['tenant_id as tenant', 'division_id as division', 'environment_id as environment'])
    .where(sql<boolean>`id = ${id}::bigint`)
    .where('unknown_since', 'is', null)
    .executeTakeFirst();
}

/** Makes the commands of one deployment wait for each other until their transactions end. */
export async function lockCommands(db: Database, id: DeploymentId): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('command', ${id}))`.execute(db);
}

export interface NewDeployment {
  generation: number;
  shape: DeploymentShape;
  cause: Cause;
  credentials: { username: string; sealedPassword: string };
  /** whether its clients come without TLS unless a configuration says otherwise */
  plainText: boolean;
  /** what makes its nodes; null for what makes the region's own */
  byocDriver: ByocDriver | null;
  /** of its first status */
  version: number;
  now: Date;
}

/** Whoever goes on with what is changed now, does so as a part of its trace. */
const tracedNow = () => ({
  traceparent: activeTraceparent() ?? null,
  traced_at: sql<Date>`clock_timestamp()`,
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
  { generation, shape, cause, credentials, plainText, byocDriver, version, now }: NewDeployment,
): Promise<void> {
  await db
    .insertInto('deployments')
    .values({
      id: shape.id,
      uid: shape.uid,
      generation,
      shape: JSON.stringify(shape),
      created_by: JSON.stringify(cause),
      username: credentials.username,
      sealed_password: credentials.sealedPassword,
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
export async function updateShape(
  db: Database,
  generation: number,
  shape: DeploymentShape,
): Promise<boolean> {
  const result = await db
    .updateTable('deployments')
    .set({ generation, shape: JSON.stringify(shape) })
    .where('id', '=', shape.id)
    .where('generation', '<', generation)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** A command other than a shape had this generation; shapes before it may still be on their way. */
export async function passGeneration(db: Database, id: DeploymentId, generation: number): Promise<void> {
  await db
    .updateTable('deployments')
    .set({ generation })
    .where('id', '=', id)
    .where('generation', '=', generation - 1)
    .execute();
}

/** @returns false when it was to be deleted before */
export async function markForDeletion(db: Database, id: DeploymentId, cause: Cause): Promise<boolean> {
  const result = await db
    .updateTable('deployments')
    .set({ deleted_by: JSON.stringify(cause), access_question: null, ...tracedAnew() })
    .where('id', '=', id)
    .where('deleted_by', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Revisions go with the time, in milliseconds: should the database be restored from an older copy, none comes again that an agent has
 * already, with other contents.
 */
const currentRevision = sql<number>`(extract(epoch FROM clock_timestamp()) * 1000)::bigint`;

/**
 * Raises the revision of what the deployment's agents are told, and tells them. The row stays locked until the
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

/** Raises the revision of a deployment's rules and logins, which goes with the time like that of what agents are told. */
export async function raiseAccessRevision(db: Database, id: DeploymentId): Promise<Deployment> {
  return await db
    .updateTable('deployments')
    .set({ access_revision: sql<number>`greatest(access_revision + 1, ${currentRevision})` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function setAccessRevision(db: Database, id: DeploymentId, revision: number): Promise<void> {
  await db.updateTable('deployments').set({ access_revision: revision }).where('id', '=', id).execute();
}

/**
 * Has main-api asked for its copies of all rules and logins, with the next inventory, since this database was restored. Until a
 * deployment's is here its agents keep the state that they have, and its rules and login cannot be changed.
 */
export async function askForAccess(db: Sql): Promise<void> {
  await db.query('UPDATE deployments SET access_question = gen_random_uuid() WHERE deleted_by IS NULL');
  await db.query("UPDATE inventories SET begun_at = 'epoch'");
}

/** What main-api has kept of the rules and logins is taken over: agents may be sent a state again. */
export async function answerAccessQuestion(db: Database, id: DeploymentId): Promise<void> {
  await db.updateTable('deployments').set({ access_question: null }).where('id', '=', id).execute();
}

/** @throws Problem `unavailable` while main-api has not said what has changed since the copy from which the region was restored */
export function requireKnownAccess({ access_question }: Pick<Deployment, 'access_question'>): void {
  if (access_question === null) return;
  const detail =
    'The region was restored, and access rules and logins are being compared. Try again in a minute.';
  throw problem('unavailable', { detail });
}

/** @returns the version of the new status, which grows with each change */
export async function setStatus(
  db: Database,
  id: DeploymentId,
  status: DeploymentStatus,
  reason: string | null,
  now: Date,
): Promise<number> {
  const { status_version } = await db
    .updateTable('deployments')
    .set((row) => ({
      status,
      status_reason: reason,
      status_changed_at: now,
      status_version: row('status_version', '+', 1),
    }))
    .where('id', '=', id)
    .returning('status_version')
    .executeTakeFirstOrThrow();
  return status_version;
}

/** Gives the status that a deployment has a version above `above`, so that it counts although another was heard of since. */
export async function renumberStatus(db: Database, id: DeploymentId, above: number): Promise<Deployment> {
  return await db
    .updateTable('deployments')
    .set({ status_version: sql<number>`greatest(status_version, ${above}::bigint) + 1` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Gives a deployment another login. */
export async function setLogin(
  db: Database,
  id: DeploymentId,
  { username, sealedPassword }: NewDeployment['credentials'],
): Promise<void> {
  await db
    .updateTable('deployments')
    .set({ username, sealed_password: sealedPassword })
    .where('id', '=', id)
    .execute();
}

/** Has the brokers stopped until then since the spend limit is reached; null: not any more. Agents are told by the next revision. */
export async function setLimitedUntil(db: Database, id: DeploymentId, until: Date | null): Promise<void> {
  await db.updateTable('deployments').set({ limited_until: until }).where('id', '=', id).execute();
}

export async function setSubnet(db: Database, id: DeploymentId, subnet: string): Promise<void> {
  await db.updateTable('deployments').set({ subnet }).where('id', '=', id).execute();
}

/** Says something else about a status that stays. @returns the version */
export async function setStatusReason(
  db: Database,
  id: DeploymentId,
  reason: string | null,
): Promise<number> {
  const { status_version } = await db
    .updateTable('deployments')
    .set((row) => ({ status_reason: reason, status_version: row('status_version', '+', 1) }))
    .where('id', '=', id)
    .returning('status_version')
    .executeTakeFirstOrThrow();
  return status_version;
}

export interface StatusCount {
  status: DeploymentStatus;
  count: number;
  /** for how long one of them has been in it at most, by the database's clock */
  seconds: number;
}

/** How many deployments are in each status. Reads all of a region's. */
export async function countByStatus(db: Database): Promise<StatusCount[]> {
  const { rows } = await sql<StatusCount>`
    SELECT status, count(*), greatest(0, extract(epoch FROM now() - min(status_changed_at)))::float8 AS seconds
    FROM deployments GROUP BY status`.execute(db);
  return rows;
}

/** Deletes the deployment; its nodes, rules, records and everything else that is stored with it go along. */
export async function deleteDeployment(db: Database, id: DeploymentId): Promise<void> {
  await db.deleteFrom('deployments').where('id', '=', id).execute();
}
