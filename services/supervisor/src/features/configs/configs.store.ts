import type { ConfigId, ConnectorInstanceId, DeploymentId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { sql, type Insertable, type Selectable } from 'kysely';
import { countOf } from '@sluice/region-store/queries';
import type { Database, Tables } from '@sluice/region-store/tables';
import type { RuntimeVersions } from '@sluice/region-store/nodes.store';

/** A version, with whether it is applied to nodes. */
export type Config = Selectable<Tables['configs']> & { applied: boolean };

const configs = (db: Database, deploymentId: DeploymentId) =>
  db
    .selectFrom('configs')
    .leftJoin('configs_applied', 'configs_applied.config_id', 'configs.id')
    .selectAll('configs')
    .select(sql<boolean>`configs_applied.config_id IS NOT NULL`.as('applied'))
    .where('configs.deployment_id', '=', deploymentId);
const ofKind = (db: Database, deploymentId: DeploymentId, kind: string) =>
  configs(db, deploymentId).where('configs.kind', '=', kind);
const ofName = (db: Database, deploymentId: DeploymentId, kind: string, name: string) =>
  ofKind(db, deploymentId, kind).where('name', '=', name);

/**
 * Of each name the newest version, the active one and the applied one; by kind and name.
 * @param kind of this one only
 */
export const listConfigs = (db: Database, deploymentId: DeploymentId, kind?: string) =>
  configs(db, deploymentId)
    .$if(kind !== undefined, (query) => query.where('configs.kind', '=', kind ?? ''))
    .where((row) =>
      row.or([
        row('is_active', '=', true),
        row('configs_applied.config_id', 'is not', null),
        row('version', '=', (newest) =>
          newest
            .selectFrom('configs as others')
            .select(({ fn }) => fn.max('others.version').as('version'))
            .whereRef('others.deployment_id', '=', 'configs.deployment_id')
            .whereRef('others.kind', '=', 'configs.kind')
            .whereRef('others.name', '=', 'configs.name'),
        ),
      ]),
    )
    .orderBy('configs.kind')
    .orderBy('name')
    .orderBy('version', 'desc')
    .execute();

/** The versions of a name, newest first (configs_version). @throws Problem `not_found` when there is none */
export async function listVersions(
  db: Database,
  deploymentId: DeploymentId,
  kind: string,
  name: string,
): Promise<Config[]> {
  const versions = await ofName(db, deploymentId, kind, name).orderBy('version', 'desc').execute();
  if (versions.length === 0) throw problem('not_found');
  return versions;
}

/** @throws Problem `not_found` */
export const getConfig = (db: Database, deploymentId: DeploymentId, kind: string, id: ConfigId) =>
  ofKind(db, deploymentId, kind)
    .where('configs.id', '=', id)
    .executeTakeFirstOrThrow(() => problem('not_found'));

/** @throws Problem `not_found` */
export async function getVersion(
  db: Database,
  deploymentId: DeploymentId,
  kind: string,
  name: string,
  version: number,
): Promise<Config> {
  const found = ofName(db, deploymentId, kind, name).where('version', '=', version);
  const config = await found.executeTakeFirst();
  if (!config) throw problem('not_found');
  return config;
}

/** The active one of a kind (configs_active). */
export const findActive = (db: Database, deploymentId: DeploymentId, kind: string) =>
  ofKind(db, deploymentId, kind).where('is_active', '=', true).executeTakeFirst();

/** The newest version of a name. */
export const findNewest = (db: Database, deploymentId: DeploymentId, kind: string, name: string) =>
  ofName(db, deploymentId, kind, name).orderBy('version', 'desc').limit(1).executeTakeFirst();

/** How many names a deployment has, of all kinds. */
export const countNames = (db: Database, deploymentId: DeploymentId) =>
  countOf(db.selectFrom('config_names').where('deployment_id', '=', deploymentId));

export const countVersions = (db: Database, deploymentId: DeploymentId, kind: string, name: string) =>
  countOf(db.selectFrom('configs').where((row) => row.and({ deployment_id: deploymentId, kind, name })));

/** Stores the next version of a name. The deployment has to be locked, or two could get one number. */
export async function insertConfig(
  db: Database,
  config: Omit<Insertable<Tables['configs']>, 'version'>,
  instanceId: ConnectorInstanceId | null,
): Promise<Config> {
  const { deployment_id, kind, name } = config;
  const { last_version } = await db
    .insertInto('config_names')
    .values({ deployment_id, kind, name, instance_id: instanceId, last_version: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['deployment_id', 'kind', 'name'])
        .doUpdateSet((row) => ({ last_version: row('config_names.last_version', '+', 1) })),
    )
    .returning('last_version')
    .executeTakeFirstOrThrow();
  const stored = await db
    .insertInto('configs')
    .values({ ...config, version: last_version })
    .returningAll()
    .executeTakeFirstOrThrow();
  return { ...stored, applied: false };
}

/** Makes a version the active one of its kind, in the place of another. */
export async function setActive(db: Database, { id, deployment_id, kind }: Config, now: Date): Promise<void> {
  await db
    .updateTable('configs')
    .set({ is_active: false })
    .where((row) => row.and({ deployment_id, kind, is_active: true }))
    .execute();
  await db.updateTable('configs').set({ is_active: true, activated_at: now }).where('id', '=', id).execute();
}

/** A version was found valid for this version of its runtime. */
export const setRuntimeVersion = (db: Database, id: ConfigId, version: string) =>
  db.updateTable('configs').set({ runtime_version: version }).where('id', '=', id).execute();

/** Notes what runs first as the version of its runtime that what was stored before is valid for. */
export const adoptRuntimeVersions = (
  db: Database,
  deploymentId: DeploymentId,
  { broker, connectors }: RuntimeVersions,
) =>
  sql`
    UPDATE configs SET runtime_version = CASE kind WHEN 'broker' THEN ${broker ?? null} ELSE ${connectors ?? null} END
    WHERE deployment_id = ${deploymentId} AND runtime_version IS NULL`.execute(db);

/** Notes why nodes have refused a version. */
export const recordRejection = (db: Database, id: ConfigId, reason: string, now: Date) =>
  db.updateTable('configs').set({ rejection: reason, rejected_at: now }).where('id', '=', id).execute();

/** Deletes a version, and its name with the last one. */
export async function deleteConfig(db: Database, { id, deployment_id, kind, name }: Config): Promise<void> {
  await db.deleteFrom('configs').where('id', '=', id).execute();
  await db
    .deleteFrom('config_names')
    .where((row) => row.and({ deployment_id, kind, name }))
    .where((row) =>
      row.not(
        row.exists(
          row
            .selectFrom('configs')
            .select('id')
            .whereRef('configs.deployment_id', '=', 'config_names.deployment_id')
            .whereRef('configs.kind', '=', 'config_names.kind')
            .whereRef('configs.name', '=', 'config_names.name'),
        ),
      ),
    )
    .execute();
}

/** The version of a kind that nodes are to run by. */
export async function findApplied(
  db: Database,
  deploymentId: DeploymentId,
  kind: string,
): Promise<Config | undefined> {
  const applied = ofKind(db, deploymentId, kind).where('configs_applied.config_id', 'is not', null);
  return await applied.executeTakeFirst();
}

/**
 * Has nodes run by a version of this kind from the next revision on, or with null by none.
 * @returns false when there is no such version
 */
export async function applyConfig(
  db: Database,
  deploymentId: DeploymentId,
  kind: string,
  id: ConfigId | null,
): Promise<boolean> {
  if (id === null) {
    await db
      .deleteFrom('configs_applied')
      .where((row) => row.and({ deployment_id: deploymentId, kind }))
      .execute();
    return true;
  }
  const { numInsertedOrUpdatedRows = 0n } = await db
    .insertInto('configs_applied')
    .columns(['deployment_id', 'kind', 'config_id'])
    .expression((from) =>
      from
        .selectFrom('configs')
        .select(['deployment_id', 'kind', 'id'])
        .where((row) => row.and({ deployment_id: deploymentId, kind, id })),
    )
    .onConflict((conflict) =>
      conflict
        .columns(['deployment_id', 'kind'])
        .doUpdateSet((row) => ({ config_id: row.ref('excluded.config_id') })),
    )
    .executeTakeFirst();
  // it is tried anew
  await db
    .updateTable('configs')
    .set({ rejection: null, rejected_at: null })
    .where('id', '=', id)
    .where('rejected_at', 'is not', null)
    .execute();
  return numInsertedOrUpdatedRows > 0n;
}

/** What nodes are to run by for the connectors of a deployment, by their instances. */
export const listAppliedConnectors = (db: Database, deploymentId: DeploymentId) =>
  db
    .selectFrom('configs_applied')
    .innerJoin('configs', 'configs.id', 'configs_applied.config_id')
    .innerJoin('config_names', (join) =>
      join
        .onRef('config_names.deployment_id', '=', 'configs.deployment_id')
        .onRef('config_names.kind', '=', 'configs.kind')
        .onRef('config_names.name', '=', 'configs.name'),
    )
    .select(['configs.id', 'version', 'sealed_values', 'instance_id'])
    .where('configs_applied.deployment_id', '=', deploymentId)
    .where('instance_id', 'is not', null)
    .$narrowType<{ instance_id: ConnectorInstanceId }>()
    .execute();

/** Which version this is; undefined when the deployment has none with this id. */
export const findVersion = (db: Database, deploymentId: DeploymentId, id: ConfigId) =>
  db
    .selectFrom('configs')
    .select(['kind', 'name', 'version'])
    .where((row) => row.and({ deployment_id: deploymentId, id }))
    .executeTakeFirst();
