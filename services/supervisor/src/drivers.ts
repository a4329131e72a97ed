import { fileURLToPath } from 'node:url';
import type { ProvidedOptions } from '@sluice/contracts';
import { encryptingRuntimes } from '@sluice/contracts/broker-schemas';
import { ConfigError, type Log } from '@sluice/service';
import { secretBox } from '@sluice/system/secrets';
import ipaddr from 'ipaddr.js';
import type { CertificateDriver } from './certificates/certificate-driver.ts';
import { createLocalAuthority } from './certificates/local-authority.ts';
import type { Database } from './database/tables.ts';
import type { ComputeDriver } from './compute/compute-driver.ts';
import { machinePlace, podPlace, type ClusterPlace } from './compute/cluster-place.ts';
import { byMaker } from './compute/by-maker.ts';
import { enrolmentCommand, enrolmentScript, type EnrolmentPlace } from './compute/enrol/command.ts';
import { createEnrolDriver } from './compute/enrol/enrol-driver.ts';
import { nodePrograms } from './compute/enrol/programs.ts';
import { shareCompiledFolder } from './compute/local/compiled-folder.ts';
import { createLocalDriver } from './compute/local/local-driver.ts';
import type { SupervisorEnvironment } from './config.ts';
import { createEmulatedDriver } from './network/emulated-driver.ts';
import type { NetworkDriver } from './network/network-driver.ts';
import {
  askToLeave,
  findAccess,
  findEnrolling,
  findMaker,
  giveUpSilent,
  listAccesses,
} from './stores/enrolments.store.ts';
import { createVolumes, makesInstances, supervisorName } from './volume-drivers.ts';
import type { VolumeDriver } from './volumes/volume-driver.ts';

/** the folder that this program and that of nodes are in */
export const programsRoot = fileURLToPath(new URL('../../../', import.meta.url));
const compiledFolder = fileURLToPath(new URL('../../../.cache/compiled', import.meta.url));

/** What makes nodes and networks in this region. */
export interface Drivers {
  compute: ComputeDriver;
  network: NetworkDriver;
  /** absent where deployments have no certificates */
  certificates?: CertificateDriver;
  /** absent where there are no backups */
  volumes?: VolumeDriver;
}

/** Agents are traced as their supervisor is; what authorizes it stays with it. */
function tracingOf(environment: SupervisorEnvironment): Record<string, string> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: share } = environment;
  if (endpoint === undefined) return {};
  return { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER_ARG: String(share) };
}

export async function createDrivers(
  environment: SupervisorEnvironment,
  log: Log,
  stopping: AbortSignal,
  database: Database,
): Promise<Drivers> {
  const own =
    environment.COMPUTE_DRIVER === 'kubernetes'
      ? await createClusterDriver(environment, log, stopping)
      : await createMachineDriver(environment, log, stopping);
  const enrol = createEnrolDriver({
    find: (node) => findEnrolling(database, node),
    async dismiss(node) {
      await database.transaction().execute((tx) => askToLeave(tx, node, new Date()));
      await giveUpSilent(database, node, environment.NODE_UNREACHABLE_SECONDS);
    },
  });
  const cloud_a = await createInstanceDriver(environment, database);
  const compute = byMaker(
    (node) => findMaker(database, node),
    own,
    { enrol, ...(cloud_a && { cloud_a }) },
    environment.BYOC_DRIVER,
  );
  const options = withEncryption(compute.options, environment);
  const network = await createNetworkDriver(environment, database);
  const volumes = await createVolumes(environment, database, stopping);
  const drivers = { compute: { ...compute, options }, network, ...(volumes && { volumes }) };
  if (environment.CERTIFICATE_DRIVER === 'none') return drivers;
  return { ...drivers, certificates: await createCertificates(environment, log, stopping, database) };
}

/** The options of the compute driver, and encryption where the broker does it. */
function withEncryption(
  { managed = [], byoc = [] }: ProvidedOptions,
  { BROKER_RUNTIME }: SupervisorEnvironment,
): ProvidedOptions {
  if (!encryptingRuntimes.includes(BROKER_RUNTIME)) return { managed, byoc };
  return { managed: ['encrypted', ...managed], byoc: ['encrypted', ...byoc] };
}

/** Where brokers of a cluster find each other. */
export const clusterPlace = ({ COMPUTE_DRIVER, KUBERNETES_OWNER }: SupervisorEnvironment): ClusterPlace =>
  COMPUTE_DRIVER === 'local' ? machinePlace : podPlace(KUBERNETES_OWNER);

async function createNetworkDriver(
  environment: SupervisorEnvironment,
  database: Database,
): Promise<NetworkDriver> {
  const emulated = createEmulatedDriver({
    subnetRange: environment.SUBNET_RANGE,
    baseDomain: environment.BASE_DOMAIN,
    gatewayHost: environment.GATEWAY_HOST,
    database,
    region: environment.REGION,
    peers: environment.EMULATED_PEERS,
  });
  if (environment.NETWORK_DRIVER === 'emulated') return emulated;
  // subnets are given and names are kept as where nothing else is
  return { ...emulated, ...(await createLinkDriver(environment)) };
}

/** The clouds' libraries are large, and most supervisors on a laptop need none. */
async function createLinkDriver(
  environment: SupervisorEnvironment,
): Promise<Pick<NetworkDriver, 'links' | 'release'>> {
  const {
    REGION: region,
    NETWORK_DRIVER,
    CLOUD_B_API_URL: apiUrl,
    CLOUD_B_NAT_RANGE: natRange,
  } = environment;
  if (NETWORK_DRIVER === 'cloud_b') {
    const { cloudBDriver } = await import('./network/cloud-b/driver.ts');
    return cloudBDriver({ region, apiUrl, natRange });
  }
  const { cloudADriver } = await import('./network/cloud-a/driver.ts');
  return cloudADriver(region);
}

async function createCertificates(
  environment: SupervisorEnvironment,
  log: Log,
  stopping: AbortSignal,
  database: Database,
): Promise<CertificateDriver> {
  const secrets = secretBox(environment.SECRETS_KEYS);
  const now = () => new Date();
  const local = createLocalAuthority({
    ...{ database, secrets, now },
    name: `Sluice ${environment.CLOUD} ${environment.REGION}`,
    authorityDays: environment.AUTHORITY_DAYS,
    certificateDays: environment.CERTIFICATE_DAYS,
  });
  if (environment.CERTIFICATE_DRIVER !== 'acme') return local;
  // its HTTP client costs a start that does not need it
  const { byName, createPublicAuthority } = await import('./certificates/acme/public-authority.ts');
  return byName(createPublicAuthority({ environment, database, secrets, stopping, log, now }), local);
}

/** What agents are told, wherever they run. */
function agentEnvironment(environment: SupervisorEnvironment): Record<string, string> {
  return {
    AGENT_CONNECTORS_ALLOWED: environment.CONNECTORS_ALLOWED,
    AGENT_CONNECTORS_REFUSED: environment.CONNECTORS_REFUSED,
    LOG_LEVEL: environment.LOG_LEVEL,
    ...tracingOf(environment),
  };
}

/** What machines of customers are told. */
export function enrolmentPlace(environment: SupervisorEnvironment): EnrolmentPlace {
  const { AGENT_API_AUTHORITY: authority } = environment;
  return {
    supervisorUrl: environment.AGENT_API_URL ?? environment.PUBLIC_URL,
    ...(authority !== undefined && { authority }),
    agentEnvironment: {
      ...agentEnvironment(environment),
      AGENT_PLAIN_HTTP: String(environment.AGENT_API_PLAIN_TEXT),
    },
  };
}

/** Undefined where no instances are made in accounts of customers. */
async function createInstanceDriver(
  environment: SupervisorEnvironment,
  database: Database,
): Promise<ComputeDriver | undefined> {
  const { CLOUD_A_IMAGE: image } = environment;
  if (!makesInstances(environment) || image === undefined) return undefined;
  const place = enrolmentPlace(environment);
  const programs = nodePrograms({ root: programsRoot, natsServer: environment.NATS_SERVER_PATH });
  // the cloud's library is large, and most supervisors need none
  const { createCloudADriver } = await import('./compute/cloud-a/cloud-a-driver.ts');
  return createCloudADriver({
    ...{ region: environment.REGION, image, now: () => new Date() },
    supervisor: supervisorName(environment),
    instanceTypes: environment.CLOUD_A_INSTANCE_TYPES,
    enrolmentCommand: async (node, token) =>
      // the instance of a private node has no other address than that of its network
      enrolmentCommand(place, await enrolmentScript(place, await programs()), {
        ...{ id: node, token, isPrivate: false },
      }),
    findAccess: (node) => findAccess(database, node),
    listAccesses: () => listAccesses(database),
  });
}

async function createMachineDriver(
  environment: SupervisorEnvironment,
  log: Log,
  stopping: AbortSignal,
): Promise<ComputeDriver> {
  const { LOCAL_NODES_DIR: nodesFolder } = environment;
  if (nodesFolder === undefined)
    throw new ConfigError('LOCAL_NODES_DIR is missing: COMPUTE_DRIVER=local needs it');
  await shareCompiledFolder(compiledFolder);
  return await createLocalDriver({
    nodesFolder,
    keysFolder: environment.LOCAL_KEYS_DIR ?? `${nodesFolder}-keys`,
    runtimeFolder: environment.LOCAL_RUNTIME_DIR,
    agentEntry: environment.LOCAL_AGENT_ENTRY,
    agentEnvironment: {
      ...agentEnvironment(environment),
      AGENT_SUPERVISOR_URL: environment.AGENT_API_URL ?? environment.PUBLIC_URL,
      AGENT_GATEWAY_HOST: environment.GATEWAY_BIND_HOST ?? environment.GATEWAY_HOST,
      ...(environment.GATEWAY_PORTS && { AGENT_GATEWAY_PORTS: environment.GATEWAY_PORTS.join('-') }),
      NATS_SERVER_PATH: environment.NATS_SERVER_PATH,
      // also for the first file of a program, to which its own choice comes too late
      NODE_COMPILE_CACHE: compiledFolder,
    },
    gatewayHost: environment.GATEWAY_HOST,
    privateGatewayHost: environment.GATEWAY_PRIVATE_HOST,
    stopping,
    log,
  });
}

async function createClusterDriver(
  environment: SupervisorEnvironment,
  log: Log,
  stopping: AbortSignal,
): Promise<ComputeDriver> {
  // the client's library is large, and most supervisors on a laptop have no cluster
  const { createKubernetesDriver } = await import('./compute/kubernetes/kubernetes-driver.ts');
  const { AGENT_API_AUTHORITY: authority } = environment;
  return createKubernetesDriver({
    kubeconfig: environment.KUBECONFIG,
    installation: {
      owner: environment.KUBERNETES_OWNER,
      image: environment.NODE_IMAGE,
      serviceType: environment.KUBERNETES_SERVICE_TYPE,
      privateService: privateServiceOf(environment),
      zones: environment.KUBERNETES_ZONES,
      dedicatedNodes: environment.KUBERNETES_DEDICATED_NODES,
      storageClasses: environment.KUBERNETES_STORAGE_CLASSES,
      role: environment.KUBERNETES_NODE_ROLE,
      clusterSpread: environment.KUBERNETES_CLUSTER_SPREAD,
      agentEnvironment: {
        ...agentEnvironment(environment),
        AGENT_PLAIN_HTTP: String(environment.AGENT_API_PLAIN_TEXT),
      },
      supervisorUrl: environment.AGENT_API_URL ?? environment.PUBLIC_URL,
      ...(authority !== undefined && { authority }),
      refusedBlocks: blocksIn(environment.CONNECTORS_REFUSED),
      resolvers: blocksIn(environment.KUBERNETES_RESOLVERS),
    },
    stopping,
    now: () => new Date(),
    log,
  });
}

/** @throws ConfigError for a load balancer that would be public */
function privateServiceOf({
  KUBERNETES_PRIVATE_SERVICE_TYPE: type,
  KUBERNETES_PRIVATE_SERVICE_ANNOTATIONS: annotations,
}: SupervisorEnvironment) {
  if (type === 'LoadBalancer' && Object.keys(annotations).length === 0)
    throw new ConfigError(
      'KUBERNETES_PRIVATE_SERVICE_ANNOTATIONS is missing: KUBERNETES_PRIVATE_SERVICE_TYPE=LoadBalancer needs it',
    );
  return { type, annotations };
}

/** Blocks in the one form that Kubernetes takes, of addresses and blocks that are listed with commas. */
function blocksIn(text: string): string[] {
  return text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) =>
      entry.includes('/') ? entry : `${entry}/${ipaddr.parse(entry).kind() === 'ipv4' ? 32 : 128}`,
    );
}
