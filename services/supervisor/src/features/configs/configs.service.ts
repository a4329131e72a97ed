import { keepSecrets, secretFieldsOf, type DeploymentId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf, ParamsOf, QueryOf } from '@sluice/http';
import { fieldProblem, problem } from '@sluice/service';
import { requireLive, type DeploymentPath } from '../deployment-rules.ts';
import type { Database, Transaction } from '@sluice/region-store/tables';
import type { components, operations } from '../../generated/api.ts';
import {
  deleteConfig,
  findNewest,
  findActive,
  getConfig,
  getVersion,
  insertConfig,
  listConfigs,
  listVersions,
  setActive,
  applyConfig,
  setRuntimeVersion,
  type Config,
} from './configs.store.ts';
import {
  getDeployment,
  lockDeployment,
  raiseRevision,
  subjectsOf,
  type Deployment,
} from '@sluice/region-store/deployments.store';
import { findRuntimeVersions, type RuntimeVersions } from '@sluice/region-store/nodes.store';
import { isToGoBackTo } from '@sluice/region-store/tasks.store';
import { invalidValues, outdated, requireRight, requireRoomForVersion } from './config-rules.ts';
import type { ConfigTarget } from './config-targets.ts';
import { configView, schemaView } from './config-view.ts';
import { catalogueTarget, targetsOf, type FindTarget } from './find-target.ts';
import { given, masked } from './secret-values.ts';
import { openValues, sealValues, type Values } from './stored-values.ts';
import type { Shared, Tx } from '../shared.ts';

type Shown = components['schemas']['Config'];
type KindPath = ParamsOf<operations['listConfigsOfKind']>;
type NamePath = ParamsOf<operations['listConfigVersions']>;
type VersionPath = ParamsOf<operations['activateConfig']>;
type IdPath = ParamsOf<operations['getConfig']>;
type Filter = QueryOf<operations['listConfigs']>;

/** bytes of the values of one version, as JSON */
const mostBytes = 32 * 2 ** 10;

export interface ConfigsOptions extends Pick<Shared, 'database' | 'work' | 'secrets' | 'now'> {
  /** name of the broker product that agents run */
  brokerRuntime: string;
}

export type ConfigsService = ReturnType<typeof configsService>;

/** Configurations of the broker and of connectors (interface, 2.12, 3, 4.9 and 9). */
export function configsService({ database, work, secrets, brokerRuntime, now }: ConfigsOptions) {
  const open = (config: Config) => openValues(secrets, config);

  /** What the kind of a path is about. @throws Problem `not_found`, `forbidden` */
  async function found(
    db: Database,
    caller: Caller,
    deployment: Deployment,
    kind: string,
    level: 'read' | 'manage',
  ): Promise<ConfigTarget> {
    requireRight(caller, deployment, kind, level);
    const target = (await targetsOf(db, deployment.id, brokerRuntime))(kind);
    if (!target) throw problem('not_found');
    return target;
  }

  const shown = async (config: Config, target: ConfigTarget, versions: RuntimeVersions): Promise<Shown> =>
    configView(config, masked(await open(config), target), versions[target.runtime] ?? null);

  async function showAll(
    deploymentId: DeploymentId,
    find: FindTarget,
    configs: Config[],
    { needs_revalidation }: Filter = {},
  ): Promise<Shown[]> {
    const versions = await findRuntimeVersions(database, deploymentId);
    const views = configs.map(async (config) => {
      const target = find(config.kind);
      // its instance has been deleted since
      return target ? [await shown(config, target, versions)] : [];
    });
    return (await Promise.all(views))
      .flat()
      .filter((view) => needs_revalidation === undefined || view.needs_revalidation === needs_revalidation);
  }

  /** One version, as people are shown it. */
  async function show(
    caller: Caller,
    { deployment_id, config_kind }: KindPath,
    get: (kind: string) => Promise<Config>,
  ): Promise<Shown> {
    const deployment = await getDeployment(database, deployment_id);
    const target = await found(database, caller, deployment, config_kind, 'read');
    return await shown(await get(config_kind), target, await findRuntimeVersions(database, deployment_id));
  }

  /** The values to store: with the secrets that were kept. @throws Problem `invalid_request` with all that is wrong */
  async function readValues(
    { db }: Transaction,
    deployment: Deployment,
    target: ConfigTarget,
    name: string,
    submitted: Values,
  ): Promise<Values> {
    const former =
      (await findNewest(db, deployment.id, target.kind, name)) ??
      (await findActive(db, deployment.id, target.kind));
    const { values, issues } = keepSecrets(
      given(submitted, target),
      former && (await open(former)),
      secretFieldsOf(target.entries, target.block),
    );
    const fieldIssues = [...issues, ...target.check(values, deployment.spec.limits)];
    if (fieldIssues.length > 0) throw invalidValues(fieldIssues);
    return values;
  }

  /** Makes a version the active one; a connector's is applied at once. */
  async function makeActive(
    tx: Tx,
    deployment: Deployment,
    target: ConfigTarget,
    config: Config,
  ): Promise<void> {
    const { [target.runtime]: installed } = await findRuntimeVersions(tx.db, deployment.id);
    if (installed) await setRuntimeVersion(tx.db, config.id, installed);
    const isApplied = target.runtime === 'broker' || config.applied;
    if (config.is_active && isApplied) return;
    await setActive(tx.db, config, now());
    if (!isApplied) {
      await applyConfig(tx.db, deployment.id, config.kind, config.id);
      await raiseRevision(tx.db, deployment.id);
    }
    tx.emit('config_activated', subjectsOf(deployment), eventOf(config));
  }

  return {
    /** All kinds. */
    async list({ deployment_id }: DeploymentPath, filter: Filter): Promise<Shown[]> {
      const find = await targetsOf(database, deployment_id, brokerRuntime);
      return await showAll(deployment_id, find, await listConfigs(database, deployment_id), filter);
    },

    async listOfKind(
      caller: Caller,
      { deployment_id, config_kind }: KindPath,
      filter: Filter,
    ): Promise<Shown[]> {
      const deployment = await getDeployment(database, deployment_id);
      const target = await found(database, caller, deployment, config_kind, 'read');
      const configs = await listConfigs(database, deployment_id, config_kind);
      return await showAll(deployment_id, () => target, configs, filter);
    },

    async schema(caller: Caller, { deployment_id, config_kind }: KindPath) {
      const deployment = await getDeployment(database, deployment_id);
      requireRight(caller, deployment, config_kind, 'read');
      const find = await targetsOf(database, deployment_id, brokerRuntime);
      const target = find(config_kind) ?? catalogueTarget(config_kind);
      if (!target) throw problem('not_found');
      const schema = target.schema(deployment.spec.limits);
      return schemaView(schema as components['schemas']['ConfigSchema']);
    },

    primary: (caller: Caller, params: KindPath) =>
      show(caller, params, async (kind) => {
        const config = await findActive(database, params.deployment_id, kind);
        if (!config) throw problem('not_found');
        return config;
      }),

    get: (caller: Caller, params: IdPath) =>
      show(caller, params, (kind) => getConfig(database, params.deployment_id, kind, params.config_id)),

    version: (caller: Caller, params: VersionPath) =>
      show(caller, params, (kind) =>
        getVersion(database, params.deployment_id, kind, params.config_name, numberOf(params)),
      ),

    async versions(caller: Caller, { deployment_id, config_kind, config_name }: NamePath): Promise<Shown[]> {
      const deployment = await getDeployment(database, deployment_id);
      const target = await found(database, caller, deployment, config_kind, 'read');
      const configs = await listVersions(database, deployment_id, config_kind, config_name);
      return await showAll(deployment_id, () => target, configs);
    },

    /** Stores a version, and activates it if asked to. @param check is called with the newest version of the name, null without one */
    async create(
      caller: Caller,
      { deployment_id, config_kind }: KindPath,
      { name: chosen, values: submitted, activate }: BodyOf<operations['createConfig']>,
      check: (newest: Shown | null) => void,
    ): Promise<Shown> {
      const name = chosen ?? config_kind;
      if (Buffer.byteLength(JSON.stringify(submitted)) > mostBytes)
        throw fieldProblem('values', 'too_long', `has to have at most ${mostBytes} bytes`);
      return await work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deployment_id);
        const target = await found(tx.db, caller, deployment, config_kind, 'manage');
        const versions = await findRuntimeVersions(tx.db, deployment_id);
        const newest = await findNewest(tx.db, deployment_id, config_kind, name);
        check(newest ? await shown(newest, target, versions) : null);
        const values = await readValues(tx, deployment, target, name, submitted);
        requireLive(deployment);
        await requireRoomForVersion(tx.db, deployment, config_kind, name);
        const config = await insertConfig(
          tx.db,
          {
            ...{ deployment_id, kind: config_kind, name },
            sealed_values: await sealValues(secrets, values),
            runtime_version: versions[target.runtime] ?? null,
            author_id: caller.cause.author?.id ?? null,
            created_at: now(),
          },
          target.instanceId,
        );
        tx.emit('config_created', subjectsOf(deployment), eventOf(config));
        if (activate) await makeActive(tx, deployment, target, config);
        return await shown(await getConfig(tx.db, deployment_id, config_kind, config.id), target, versions);
      });
    },

    /** @throws Problem `not_found`, `invalid_request` when it is no longer valid, `state_conflict` */
    async activate(caller: Caller, params: VersionPath): Promise<void> {
      const { deployment_id, config_kind, config_name } = params;
      await work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deployment_id);
        const target = await found(tx.db, caller, deployment, config_kind, 'manage');
        const config = await getVersion(tx.db, deployment_id, config_kind, config_name, numberOf(params));
        const issues = target.check(await open(config), deployment.spec.limits);
        if (issues.length > 0) throw outdated(issues);
        requireLive(deployment);
        await makeActive(tx, deployment, target, config);
      });
    },

    /** @throws Problem `not_found`, `config_is_primary`, `state_conflict` */
    async delete(caller: Caller, { deployment_id, config_kind, config_id }: IdPath): Promise<void> {
      await work(caller, async (tx) => {
        const deployment = await lockDeployment(tx.db, deployment_id);
        await found(tx.db, caller, deployment, config_kind, 'manage');
        const config = await getConfig(tx.db, deployment_id, config_kind, config_id);
        requireLive(deployment);
        if (config.is_active) throw problem('config_is_primary');
        if (config.applied) throw problem('state_conflict', { detail: 'Nodes run by this version.' });
        if (await isToGoBackTo(tx.db, deployment_id, config_id))
          throw problem('state_conflict', {
            detail: 'Nodes go back to this version if they reject the one that is being applied.',
          });
        await deleteConfig(tx.db, config);
        tx.emit('config_deleted', subjectsOf(deployment), eventOf(config));
      });
    },
  };
}

const eventOf = ({ id, kind, name, version }: Config) => ({ config_id: id, kind, name, version });

/** Beyond what is stored there is no version. */
const numberOf = ({ version }: VersionPath) => Math.min(Number(version), 2 ** 31 - 1);
