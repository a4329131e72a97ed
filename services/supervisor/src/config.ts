import { isAbsolute } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clouds, storageSchema, tiers } from '@sluice/contracts';
import { serviceEnvironment } from '@sluice/service';
import { secretKeysSchema } from '@sluice/system/secrets';
import { isAddressOrBlock, isPrivateAddress, portRangeSchema } from '@sluice/system';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { byocDrivers } from './compute/compute-driver.ts';
import { acmeSettings } from './certificates/acme/acme-settings.ts';

const agentEntry = fileURLToPath(new URL('../../node-agent/src/main.ts', import.meta.url));
const url = z.url({ protocol: /^https?$/ });
const callSeconds = (seconds: number) => z.coerce.number().positive().max(3_600).default(seconds);
const percent = (value: number) => z.coerce.number().min(0).max(100).default(value);

const storageClassesSchema = z.partialRecord(
  storageSchema.shape.type,
  z.string().regex(/^[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?$/),
);

/** Undefined for what is not a list of <type>=<class>. */
function storageClasses(text: string): z.infer<typeof storageClassesSchema> | undefined {
  const entries = text.split(',').filter((entry) => entry.trim() !== '');
  const pairs = entries.map((entry) => entry.split('=').map((part) => part.trim()));
  if (pairs.some(({ length }) => length !== 2)) return undefined;
  return storageClassesSchema.safeParse(Object.fromEntries(pairs)).data;
}

const labelsSchema = z.record(
  z.string().regex(/^[a-z0-9A-Z]([\w./-]{0,315}[a-z0-9A-Z])?$/),
  z.string().regex(/^[\w.:/-]{1,250}$/),
);

/** Undefined for what is not a list of <name>=<value>. */
function labelsIn(text: string): Record<string, string> | undefined {
  const entries = text.split(',').filter((entry) => entry.trim() !== '');
  const pairs = entries.map((entry) => entry.split('=').map((part) => part.trim()));
  if (pairs.some(({ length }) => length !== 2)) return undefined;
  return labelsSchema.safeParse(Object.fromEntries(pairs)).data;
}

const instanceTypesSchema = z.partialRecord(
  z.enum(tiers),
  z.string().regex(/^[a-z0-9-]{1,30}\.[a-z0-9-]{1,30}$/),
);

/** Undefined for what is not a list of <tier>=<type>. */
function instanceTypes(text: string): z.infer<typeof instanceTypesSchema> | undefined {
  const pairs = text.split(',').map((entry) => entry.split('=').map((part) => part.trim()));
  if (pairs.some(({ length }) => length !== 2)) return undefined;
  return instanceTypesSchema.safeParse(Object.fromEntries(pairs)).data;
}

function refused(context: z.core.$RefinementCtx<string>, form = '<type>=<StorageClass>'): never {
  context.issues.push({
    code: 'custom',
    input: context.value,
    message: `has to be a list of ${form}, separated by commas`,
  });
  return z.NEVER;
}

/** What a supervisor reads from its environment, beyond what every service does. */
export const supervisorEnvironment = serviceEnvironment.extend({
  CLOUD: z.enum(clouds).describe('the cloud that this supervisor serves'),
  REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'has to be lowercase letters, digits and hyphens')
    .describe('the one region that it serves'),
  PUBLIC_URL: url.describe('address of the Supervisor API, as clients are told it'),
  AGENT_API_URL: url.optional().describe('address that node agents call; PUBLIC_URL when absent'),
  BASE_DOMAIN: z.string().min(1).default('sluice.localhost').describe('the zone of deployment domains'),
  SECRETS_KEYS: secretKeysSchema.describe('keys for stored secrets, <id>:<base64 of 32 bytes>, newest first'),
  AGENT_API_AUTHORITY: z
    .string()
    .regex(/^(-----BEGIN CERTIFICATE-----[\s\S]{1,100000}-----END CERTIFICATE-----\s*)$/, 'has to be PEM')
    .optional()
    .describe(
      'certificates that agents in a cluster and on machines of customers trust for that address besides the public authorities, PEM',
    ),
  AGENT_API_PLAIN_TEXT: z
    .stringbool({ truthy: ['true'], falsy: ['false'] })
    .default(false)
    .describe(
      'whether agents in a cluster, or on machines of customers, may call it by http: only where the network itself encrypts, as a service mesh does',
    ),
  COMPUTE_DRIVER: z
    .enum(['local', 'kubernetes'])
    .default('local')
    .describe('what makes nodes: processes on this machine, or pods of a cluster'),
  BYOC_DRIVER: z
    .enum(byocDrivers)
    .default('enrol')
    .describe(
      'what makes the nodes of new byoc deployments: machines of the customer that enrol by a command, or instances in their account of cloud_a',
    ),
  CLOUD_A_IMAGE: z
    .string()
    .regex(/^ami-[0-9a-f]{8,17}$/, 'has to be the id of an image')
    .optional()
    .describe(
      'image of instances in accounts of customers: a Linux with systemd and cloud-init that they may use',
    ),
  CLOUD_A_INSTANCE_TYPES: z
    .string()
    .default(
      'free=t3.micro,small=t3.small,medium=t3.medium,large=m6i.large,xlarge=m6i.xlarge,2xlarge=m6i.2xlarge,' +
        '4xlarge=m6i.4xlarge,8xlarge=m6i.8xlarge,16xlarge=m6i.16xlarge',
    )
    .transform((text, context) => instanceTypes(text) ?? refused(context, '<tier>=<type of instance>'))
    .describe('type of those instances by tier, such as small=t3.small,medium=t3.medium'),
  ENROLMENT_DEADLINE_SECONDS: z.coerce
    .number()
    .positive()
    .default(7 * 24 * 60 * 60)
    .describe(
      'seconds that a deployment waits for machines of the customer before it fails; default: a week',
    ),
  LOCAL_NODES_DIR: z
    .string()
    .min(1)
    .optional()
    .describe('folder of the local driver, one subfolder per node; needed by it'),
  LOCAL_KEYS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'folder of the keys that seal secrets in the folders of the local driver, best on another disk; default: <LOCAL_NODES_DIR>-keys',
    ),
  LOCAL_RUNTIME_DIR: z
    .string()
    .refine(isAbsolute, 'has to be an absolute path')
    .optional()
    .describe(
      'folder in which those nodes keep secrets that brokers read as files, best in memory; default: /dev/shm, or that of the keys where there is none',
    ),
  BACKUPS_DIR: z
    .string()
    .min(1)
    .optional()
    .describe(
      'folder of backups of nodes of the local driver, best on another disk; without it these have none',
    ),
  BACKUP_COPY_SECONDS: z.coerce
    .number()
    .positive()
    .max(86_400)
    .default(600)
    .describe(
      'seconds for which brokers may be stopped to be copied; then the backup fails, and they start again, also by themselves',
    ),
  LOCAL_AGENT_ENTRY: z.string().min(1).default(agentEntry).describe("the node agent's program"),
  KUBECONFIG: z
    .string()
    .min(1)
    .optional()
    .describe(
      'how the cluster is reached that nodes are made in; by the service account of the pod when absent',
    ),
  KUBERNETES_OWNER: z
    .string()
    .regex(/^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/, 'has to be up to 40 lowercase letters, digits and hyphens')
    .default('sluice')
    .describe(
      'labels what this region makes in the cluster, and begins the names of its namespaces: no two regions in one cluster have the same',
    ),
  KUBERNETES_NODE_ROLE: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.:-]{0,250}[a-z0-9])?$/, 'has to be the name of a ClusterRole')
    .default('sluice-nodes')
    .describe('ClusterRole that the supervisor gives itself in each namespace that it makes'),
  KUBERNETES_SERVICE_TYPE: z
    .enum(['LoadBalancer', 'NodePort', 'ClusterIP'])
    .default('LoadBalancer')
    .describe('kind of Service by which clients reach a node'),
  KUBERNETES_PRIVATE_SERVICE_TYPE: z
    .enum(['ClusterIP', 'LoadBalancer'])
    .default('ClusterIP')
    .describe('kind of Service by which clients reach a node without a public address'),
  KUBERNETES_PRIVATE_SERVICE_ANNOTATIONS: z
    .string()
    .default('')
    .transform((text, context) => labelsIn(text) ?? refused(context, '<annotation>=<value>'))
    .describe(
      'annotations of such a Service that have its load balancer be internal, such as networking.gke.io/load-balancer-type=Internal; a LoadBalancer needs them',
    ),
  KUBERNETES_ZONES: z.coerce
    .number()
    .int()
    .min(1)
    .max(100)
    .default(1)
    .describe(
      'zones that the machines of the cluster are in, by their label topology.kubernetes.io/zone; from two on deployments may be spread over several (multi_az)',
    ),
  KUBERNETES_DEDICATED_NODES: z
    .string()
    .transform((text, context) => {
      const [only, ...more] = Object.entries(labelsIn(text) ?? {});
      if (!only || more.length > 0) return refused(context, 'one <label>=<value>');
      return { key: only[0], value: only[1] };
    })
    .optional()
    .describe(
      'label of the machines that dedicated deployments are on, <label>=<value>, of which each holds one tenant at a time; a taint of the same key and value keeps all others away. Without it there are no dedicated deployments',
    ),
  KUBERNETES_STORAGE_CLASSES: z
    .string()
    .default('')
    .transform((text, context) => storageClasses(text) ?? refused(context))
    .describe(
      "StorageClass of each type of storage, such as local_ssd=fast,network_balanced=standard; the cluster's default for what is not named",
    ),
  KUBERNETES_SNAPSHOT_CLASS: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9.-]{0,250}[a-z0-9])?$/, 'has to be the name of a VolumeSnapshotClass')
    .optional()
    .describe(
      "VolumeSnapshotClass of backups; the cluster's default when absent. A cluster without either has no backups",
    ),
  KUBERNETES_CLUSTER_SPREAD: z
    .enum(['required', 'preferred'])
    .default('required')
    .describe(
      'whether no two nodes of a deployment that is a cluster ever share a machine, or only where there are enough machines',
    ),
  KUBERNETES_RESOLVERS: z
    .string()
    .default('')
    .refine(
      (text) => text.split(',').every((block) => block.trim() === '' || isAddressOrBlock(block.trim())),
      'has to be addresses and CIDRs, separated by commas',
    )
    .describe(
      'addresses and CIDRs of DNS servers that pods of nodes ask besides the pods `k8s-app=kube-dns` of kube-system, such as 169.254.20.10 of NodeLocal DNSCache',
    ),
  NODE_IMAGE: z
    .string()
    .regex(/^[\w./:@-]{1,300}$/, 'has to be the name of an image')
    .default('sluice/node:dev')
    .describe('image of the nodes that are made in a cluster'),
  BROKER_RUNTIME: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/, 'has to be lowercase letters, digits and hyphens')
    .default('nats')
    .describe('broker product that agents run, by its name in their registry of runtimes'),
  NATS_SERVER_PATH: z.string().min(1).default('nats-server').describe('program that agents run as broker'),
  GATEWAY_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe("address at which clients reach nodes' gateways, as they are told it"),
  GATEWAY_BIND_HOST: z
    .string()
    .min(1)
    .optional()
    .describe(
      'address that gateways listen on where that is another, such as 0.0.0.0 in a container; GATEWAY_HOST when absent',
    ),
  GATEWAY_PRIVATE_HOST: z
    .string()
    .refine((address) => isPrivateAddress(address), 'has to be an IP address of a private network')
    .optional()
    .describe(
      'address of this machine that gateways of deployments without a public address listen on, and that clients are told (COMPUTE_DRIVER=local); without it there are no such deployments',
    ),
  GATEWAY_PORTS: portRangeSchema
    .optional()
    .describe(
      'ports that gateways listen on, first-last, of which a node needs one per protocol; any without it',
    ),
  CONNECTORS_ALLOWED: z
    .string()
    .default('')
    .describe(
      'addresses and blocks that connectors may connect to although they are of their node or its link',
    ),
  CONNECTORS_REFUSED: z
    .string()
    .default('')
    .describe('addresses and blocks that connectors may not connect to, such as those of the control plane'),
  SUBNET_RANGE: z
    .string()
    .refine((range) => ipaddr.IPv4.isValidCIDR(range), 'has to be an IPv4 block')
    .default('10.64.0.0/10')
    .describe('block that the /24 subnets of deployments are taken from'),
  NETWORK_DRIVER: z
    .enum(['emulated', ...clouds])
    .default('emulated')
    .describe(
      "what connects deployments with networks of customers: nothing but the database, or the APIs of the region's cloud",
    ),
  CLOUD_B_API_URL: url
    .optional()
    .describe(
      'address of the API of cloud_b where it is not the public one, such as that of a private endpoint',
    ),
  CLOUD_B_NAT_RANGE: z
    .string()
    .refine(
      (range) => ipaddr.IPv4.isValidCIDR(range) && ipaddr.IPv4.parseCIDR(range)[1] <= 24,
      'has to be an IPv4 block of 24 bits at most',
    )
    .default('100.64.0.0/16')
    .describe(
      'block that packets of endpoints come from on cloud_b, a /24 for each attachment; used again in the network of each deployment',
    ),
  EMULATED_PEERS: z
    .enum(['wait', 'accept', 'reject'])
    .default('accept')
    .describe(
      'what the other side of emulated peerings does of itself: nothing, or it accepts or rejects each',
    ),
  CERTIFICATE_DRIVER: z
    .enum(['local', 'acme', 'none'])
    .default('local')
    .describe(
      "what gives deployments their certificates: the region's own authority, a public one by ACME (ACME_…), or nothing",
    ),
  BROKER_PLAIN_TEXT: z
    .stringbool({ truthy: ['true'], falsy: ['false'] })
    .default(false)
    .describe('whether clients of new deployments come without TLS, unless a configuration says otherwise'),
  CERTIFICATE_DAYS: z.coerce
    .number()
    .min(1)
    .max(825)
    .default(90)
    .describe("days that certificates of the region's own authority are valid"),
  AUTHORITY_DAYS: z.coerce
    .number()
    .min(30)
    .max(36_500)
    .default(3_650)
    .describe(
      'days that such an authority is valid; the next is made after two thirds and signs after three quarters',
    ),
  CERTIFICATE_RENEW_AT: z.coerce
    .number()
    .min(0.1)
    .max(0.95)
    .default(0.667)
    .describe('the part of its life after which a certificate is renewed'),
  DRIVER_CERTIFICATE_SECONDS: callSeconds(120).describe('seconds that a step towards a certificate may take'),
  ...acmeSettings,
  PROVISIONING_DEADLINE_SECONDS: z.coerce
    .number()
    .positive()
    .default(300)
    .describe('seconds that each step of provisioning, an upgrade and the way back from it may take'),
  RECONCILER_SLOTS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000)
    .default(12)
    .describe('deployments that a replica works on at the same time; slow ones take half of them at most'),
  RECONCILER_LEASE_SECONDS: z.coerce
    .number()
    .min(1)
    .max(600)
    .default(6)
    .describe(
      'seconds after which another replica goes on with a deployment of one that was killed or cut off',
    ),
  DRIVER_OBSERVE_SECONDS: callSeconds(10).describe(
    'seconds that a driver may take to say what there is of a node',
  ),
  DRIVER_ENSURE_SECONDS: callSeconds(30).describe(
    'seconds that a driver may take to begin to bring a node up',
  ),
  DRIVER_REMOVE_SECONDS: callSeconds(60).describe('seconds that a driver may take to remove a node'),
  DRIVER_NETWORK_SECONDS: callSeconds(20).describe(
    'seconds that the network driver may take for a phase, or a step of a link',
  ),
  HEARTBEAT_SECONDS: z.coerce
    .number()
    .positive()
    .default(2)
    .describe('seconds between the reports of an agent'),
  NODE_UNREACHABLE_SECONDS: z.coerce
    .number()
    .positive()
    .default(120)
    .describe('seconds of silence, while somebody listened, after which a node counts as unreachable'),
  HEALTH_CPU_PERCENT: percent(85).describe("share of a node's processors from which on an alert is raised"),
  HEALTH_MEMORY_PERCENT: percent(90).describe("share of a node's memory from which on an alert is raised"),
  HEALTH_DISK_PERCENT: percent(85).describe("share of a node's volume from which on an alert is raised"),
  HEALTH_RESOLVE_POINTS: z.coerce
    .number()
    .min(0)
    .max(100)
    .default(5)
    .describe('percentage points below these, at which an alert is resolved'),
  HEALTH_RAISE_SECONDS: z.coerce
    .number()
    .min(0)
    .max(86_400)
    .default(300)
    .describe('seconds for which each sample has to be too high before an alert is raised'),
  HEALTH_RESOLVE_SECONDS: z.coerce
    .number()
    .min(0)
    .max(86_400)
    .default(60)
    .describe('seconds for which each sample has to be low again before it is resolved'),
  METRICS_SECONDS: z.coerce
    .number()
    .min(0.1)
    .max(3_600)
    .default(10)
    .describe('seconds between two samples of what an agent measures'),
  TELEMETRY_SEND_SECONDS: z.coerce
    .number()
    .min(0.1)
    .max(3_600)
    .default(30)
    .describe('seconds that samples wait at an agent, at most, to be sent together'),
  TELEMETRY_SAMPLE_DAYS: z.coerce
    .number()
    .int()
    .min(3)
    .max(400)
    .default(3)
    .describe('days for which each sample is kept; from then on what it was in five minutes and in an hour'),
  TASK_DEADLINE_SECONDS: z.coerce
    .number()
    .positive()
    .max(86_400)
    .default(600)
    .describe('seconds in which a node has to have done what it is told to do, its turn included'),
  SNAPSHOT_DEADLINE_SECONDS: z.coerce
    .number()
    .positive()
    .max(86_400)
    .default(300)
    .describe('seconds in which a node has to have answered that is examined for a snapshot'),
  SNAPSHOT_ARCHIVE_MIB: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_024)
    .default(32)
    .describe(
      "size of the ZIP of a broker's data folder, at most, which the region's database keeps with a snapshot, in MiB",
    ),
  INVENTORY_SECONDS: z.coerce
    .number()
    .min(0.1)
    .max(86_400)
    .default(300)
    .describe(
      'seconds, about, between two inventories, by which the region and main-api send each other what is missing',
    ),
  ORPHANED_NODE_SECONDS: z.coerce
    .number()
    .min(0)
    .default(24 * 60 * 60)
    .describe(
      'seconds after which a node is removed that the compute driver has and no deployment; default: a day',
    ),
  COMMAND_UNREADABLE_SECONDS: z.coerce
    .number()
    .min(0.1)
    .max(86_400)
    .default(60)
    .describe(
      'seconds for which a command that this release cannot read waits for a replica of a newer one, before its failure is reported',
    ),
  UNKNOWN_DEPLOYMENT_SECONDS: z.coerce
    .number()
    .min(0)
    .default(30 * 24 * 60 * 60)
    .describe(
      'seconds for which a deployment that main-api does not know runs on, before it is deleted; default: 30 days',
    ),
});
export type SupervisorEnvironment = z.infer<typeof supervisorEnvironment>;

/**
 * How exactly it is known when a node was heard of last, in seconds: it is written down once this much has passed since.
 * Small beside the silence that makes a node unreachable.
 */
export function heartbeatResolution({
  NODE_UNREACHABLE_SECONDS,
}: Pick<SupervisorEnvironment, 'NODE_UNREACHABLE_SECONDS'>): number {
  return Math.min(30, NODE_UNREACHABLE_SECONDS / 8);
}

/** From which percentage on something of a node is too much, and how many points less are well again. */
export function thresholdsOf(
  environment: Pick<
    SupervisorEnvironment,
    'HEALTH_CPU_PERCENT' | 'HEALTH_MEMORY_PERCENT' | 'HEALTH_DISK_PERCENT' | 'HEALTH_RESOLVE_POINTS'
  >,
) {
  return {
    cpu: environment.HEALTH_CPU_PERCENT,
    memory: environment.HEALTH_MEMORY_PERCENT,
    disk: environment.HEALTH_DISK_PERCENT,
    points: environment.HEALTH_RESOLVE_POINTS,
  };
}

export const placeOf = ({ CLOUD, REGION }: SupervisorEnvironment) => ({ cloud: CLOUD, region: REGION });

/** Seconds after which what nodes have measured is too old to go by. */
export const fresherThanSeconds = ({ METRICS_SECONDS, TELEMETRY_SEND_SECONDS }: SupervisorEnvironment) =>
  Math.max(150, 3 * (METRICS_SECONDS + TELEMETRY_SEND_SECONDS));
