import { fileURLToPath } from 'node:url';
import { clouds, type ProvidedOptions } from '@sluice/contracts';
import { encryptingRuntimes } from '@sluice/contracts/broker-schemas';
import { enrolmentCommand, enrolmentScript, nodePrograms } from '@sluice/driver-machines';
import {
  settingsOf,
  type AgentSettings,
  type CertificateDriver,
  type ComputeDriver,
  type Driver,
  type DriverHost,
  type NetworkDriver,
  type NodeProvider,
  type ProvisionKind,
  type Registry,
  type StoredNodes,
  type TryAccess,
  type VolumeDriver,
} from '@sluice/drivers';
import { ConfigError, type Log } from '@sluice/service';
import { secretBox } from '@sluice/system/secrets';
import { relaySourcesOf, type SupervisorEnvironment } from './config.ts';
import type { Database } from '@sluice/region-store/tables';
import { backupSupport, type BackupSupport } from './drivers/backup-support.ts';
import { installedDrivers } from './drivers/installed.ts';
import { routeByProvisioner, type ByDriver } from './drivers/route-compute.ts';
import { admittingRelay } from './drivers/relay-rules.ts';
import { routeVolumesByProvisioner } from './drivers/route-volumes.ts';
import { defaultPhases, type NetworkPhases } from './network/default-phases.ts';
import { findCopyPlace } from '@sluice/region-store/backups.store';
import {
  askToLeave,
  findAccess,
  findEnrolling,
  findProvisioner,
  giveUpSilent,
  listAccesses,
} from '@sluice/region-store/enrolments.store';

/** the folder of this program and that of nodes */
const programsRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** What makes nodes and networks in this region. */
export interface Drivers {
  compute: ComputeDriver;
  network: RegionNetwork;
  /** absent where deployments have no certificates */
  certificates?: CertificateDriver;
  /** absent where there are no backups */
  volumes?: VolumeDriver;
  /** absent where there are no backups */
  backupSupport?: BackupSupport;
  /** absent where no driver can try the access to an account */
  tryAccess?: TryAccess;
}

/** The driver of networks with the phases that are stored in the region's database. */
export type RegionNetwork = Pick<NetworkDriver, 'links' | 'release'> & { phases: NetworkPhases };

const settingOf = {
  compute: 'COMPUTE_DRIVER',
  byoc: 'BYOC_DRIVER',
  network: 'NETWORK_DRIVER',
  certificates: 'CERTIFICATE_DRIVER',
} as const satisfies Record<ProvisionKind, keyof SupervisorEnvironment>;

/** Every driver that the settings name is known, is for this cloud, and has what it needs. @throws ConfigError */
export function checkDrivers(
  environment: SupervisorEnvironment,
  registry: Registry = installedDrivers,
): void {
  for (const kind of ['compute', 'byoc', 'network', 'certificates'] as const) {
    const [setting, name] = [settingOf[kind], environment[settingOf[kind]]];
    if (kind === 'certificates' && name === 'none') continue;
    const { driver, provision } = registry.find(kind, name, setting);
    if (driver.cloud !== undefined && driver.cloud !== environment.CLOUD)
      throw new ConfigError(`${setting}: ${name} is not for ${environment.CLOUD}`);
    provision.check?.(settingsOf(driver, environment));
  }
}

/** Creates the drivers that the settings name. */
export async function createDrivers(
  environment: SupervisorEnvironment,
  log: Log,
  stopping: AbortSignal,
  database: Database,
  registry: Registry = installedDrivers,
): Promise<Drivers> {
  const host = hostOf(environment, log, stopping, database);
  const named = <Kind extends ProvisionKind>(kind: Kind, name: string) => {
    const { driver, provision } = registry.find(kind, name, settingOf[kind]);
    return provision.create(host, settingsOf(driver, environment)) as ReturnType<
      NonNullable<Driver[Kind]>['create']
    >;
  };
  const own = await named('compute', environment.COMPUTE_DRIVER);
  const byoc = await createByoc(environment, host, registry);
  const compute = admittingRelay(
    routeByProvisioner(
      (node) => findProvisioner(database, node),
      own.compute,
      partOf(byoc, 'compute'),
      environment.BYOC_DRIVER,
    ),
    relaySourcesOf(environment),
  );
  const network = await named('network', environment.NETWORK_DRIVER);
  const certificates =
    environment.CERTIFICATE_DRIVER === 'none'
      ? undefined
      : await named('certificates', environment.CERTIFICATE_DRIVER);
  const nameless = certificates?.namesOnly === true ? await named('certificates', 'local') : undefined;
  const volumes = routedVolumes(database, own, byoc);
  const tryAccess = Object.values(byoc).find((provider) => provider?.tryAccess)?.tryAccess;
  return {
    compute: { ...compute, options: withEncryption(compute.options, environment) },
    // subnets are given and names are kept as where the driver does neither
    network: { ...network, phases: { ...defaultPhases(environment), ...network.phases } },
    ...(volumes && { volumes, backupSupport: backupSupport(own, byoc) }),
    ...(tryAccess && { tryAccess }),
    ...(certificates && {
      certificates: nameless ? certificatesByName(certificates, nameless) : certificates,
    }),
  };
}

/** Of all drivers that are set up and for this cloud: deployments keep the one that they were made with. */
async function createByoc(
  environment: SupervisorEnvironment,
  host: DriverHost,
  registry: Registry,
): Promise<ByDriver<NodeProvider>> {
  const byoc: Record<string, NodeProvider | undefined> = {};
  for (const driver of registry.providing('byoc'))
    if (driver.cloud === undefined || driver.cloud === environment.CLOUD)
      byoc[driver.name] = await driver.byoc?.create(host, settingsOf(driver, environment));
  return byoc;
}

const partOf = <Part extends keyof NodeProvider>(byoc: ByDriver<NodeProvider>, part: Part) =>
  Object.fromEntries(Object.entries(byoc).map(([name, provider]) => [name, provider?.[part]]));

/** Undefined where there are no backups. */
function routedVolumes(
  database: Database,
  own: NodeProvider,
  byoc: ByDriver<NodeProvider>,
): VolumeDriver | undefined {
  const volumes = partOf(byoc, 'volumes');
  if (!own.volumes && Object.values(volumes).every((one) => one === undefined)) return undefined;
  const provisioners = {
    ofNode: (node: Parameters<typeof findProvisioner>[1]) => findProvisioner(database, node),
    async ofCopy(copy: string) {
      const place = await findCopyPlace(database, copy);
      return place && place.byoc_driver;
    },
  };
  return routeVolumesByProvisioner(provisioners, own.volumes, volumes);
}

const certificatesByName = (named: CertificateDriver, others: CertificateDriver): CertificateDriver => ({
  ...named,
  jobs: [...(named.jobs ?? []), ...(others.jobs ?? [])],
  issue: (request, call) => (request.names.length > 0 ? named : others).issue(request, call),
});

/** The options of the compute driver, and encryption where the broker does it. */
function withEncryption(
  { managed = [], byoc = [] }: ProvidedOptions,
  { BROKER_RUNTIME }: SupervisorEnvironment,
): ProvidedOptions {
  if (!encryptingRuntimes.includes(BROKER_RUNTIME)) return { managed, byoc };
  return { managed: ['encrypted', ...managed], byoc: ['encrypted', ...byoc] };
}

function hostOf(
  environment: SupervisorEnvironment,
  log: Log,
  stopping: AbortSignal,
  database: Database,
): DriverHost {
  return {
    cloud: environment.CLOUD,
    region: environment.REGION,
    supervisor: environment.PUBLIC_URL,
    agents: agentSettings(environment),
    gateway: { host: environment.GATEWAY_HOST, privateHost: environment.GATEWAY_PRIVATE_HOST },
    refusedDestinations: environment.CONNECTORS_REFUSED,
    allowedDestinations: environment.CONNECTORS_ALLOWED,
    nodes: storedNodes(environment, database),
    secrets: secretBox(environment.SECRETS_KEYS),
    now: () => new Date(),
    ...{ database, stopping, log },
  };
}

function storedNodes(environment: SupervisorEnvironment, database: Database): StoredNodes {
  const agents = agentSettings(environment);
  const programs = programsOf(environment);
  return {
    findMachine: (node) => findEnrolling(database, node),
    async dismiss(node) {
      await database.transaction().execute((tx) => askToLeave(tx, node, new Date()));
      await giveUpSilent(database, node, environment.NODE_UNREACHABLE_SECONDS);
    },
    enrolmentCommand: async (node, token) =>
      // the instance of a private node has no other address than that of its network
      enrolmentCommand(agents, await enrolmentScript(agents, await programs()), {
        ...{ id: node, token, isPrivate: false },
      }),
    findAccess: (node) => findAccess(database, node),
    async findCopyAccess(copy) {
      const place = await findCopyPlace(database, copy);
      return place?.access ? { ...place, access: place.access } : undefined;
    },
    listAccesses: (driver) => listAccesses(database, driver, clouds[environment.CLOUD].account.identity),
  };
}

export const programsOf = ({
  NATS_SERVER_PATH: brokerProgram,
  STREAM_PAGE_FILES: streamPage,
}: SupervisorEnvironment) => nodePrograms({ root: programsRoot, brokerProgram, streamPage });

export function agentSettings(environment: SupervisorEnvironment): AgentSettings {
  const { AGENT_API_AUTHORITY: authority, OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = environment;
  const own = {
    AGENT_CONNECTORS_ALLOWED: environment.CONNECTORS_ALLOWED,
    AGENT_CONNECTORS_REFUSED: environment.CONNECTORS_REFUSED,
    LOG_LEVEL: environment.LOG_LEVEL,
    // agents are traced as their supervisor is; what authorizes it stays with it
    ...(endpoint !== undefined && {
      OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
      OTEL_TRACES_SAMPLER_ARG: String(environment.OTEL_TRACES_SAMPLER_ARG),
    }),
  };
  return {
    supervisorUrl: environment.AGENT_API_URL ?? environment.PUBLIC_URL,
    ...(authority !== undefined && { authority }),
    environment: own,
    remoteEnvironment: { ...own, AGENT_PLAIN_HTTP: String(environment.AGENT_API_PLAIN_TEXT) },
    brokerProgram: environment.NATS_SERVER_PATH,
    ...(environment.STREAM_PAGE_FILES !== undefined && { streamPage: environment.STREAM_PAGE_FILES }),
  };
}
