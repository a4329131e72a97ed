import { cloudNames } from '@sluice/contracts';
import type { Registry } from '@sluice/drivers';
import { feedSettings } from '@sluice/http';
import { signingServiceEnvironment } from '@sluice/service';
import { secretKeysSchema } from '@sluice/system/secrets';
import { isPrivateAddress } from '@sluice/system';
import { isIpv4Block } from '@sluice/system/addresses';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { installedDrivers } from './drivers/installed.ts';

const url = z.url({ protocol: /^https?$/ });
const number = (value: number, least: number, most = Infinity) =>
  z.coerce.number().min(least).max(most).default(value);
const whole = (value: number, least: number, most: number) =>
  z.coerce.number().int().min(least).max(most).default(value);
const positive = (value: number, most = Infinity) => z.coerce.number().positive().max(most).default(value);
const percent = (value: number) => number(value, 0, 100);
const flag = z.stringbool({ truthy: ['true'], falsy: ['false'] }).default(false);

const blocksOf = (text: string) => text.split(',').flatMap((block) => block.trim() || []);

/** What a supervisor reads from its environment itself, beyond what every service does; drivers have settings of their own. */
const ownSettings = (registry: Registry) => ({
  CLOUD: z.enum(cloudNames()).describe('the cloud that this supervisor serves'),
  REGION: z
    .string()
    .regex(/^[a-z0-9-]{1,40}$/, 'has to be lowercase letters, digits and hyphens')
    .describe('the one region that it serves'),
  PUBLIC_URL: url.describe('address of the Supervisor API for clients'),
  CONSOLE_URL: url
    .optional()
    .describe('address of the web console, whose pages may open sessions with brokers'),
  BROKER_RELAY_SOURCES: z
    .string()
    .default('')
    .refine((text) => blocksOf(text).every(isIpv4Block), 'has to be IPv4 blocks such as 192.0.2.0/24')
    .describe(
      "IPv4 blocks, separated by commas, from which gateways see this supervisor's own connections; without them its sessions with brokers are admitted by the deployment's access rules alone",
    ),
  BROKER_SESSIONS: whole(500, 0, 10_000).describe(
    'open sessions with brokers of an instance at most, 503 beyond',
  ),
  BROKER_SESSIONS_PER_CALLER: whole(10, 1, 1_000).describe(
    'of these, those of one API key or user, 429 beyond; of a deployment five times as many',
  ),
  BROKER_SESSION_BYTES: whole(8 * 2 ** 20, 1_024, 2 ** 32).describe(
    'bytes a second that a session with a broker may send, and as many that it may receive; it waits beyond',
  ),
  BROKER_SESSION_IDLE_SECONDS: positive(900, 86_400).describe(
    'seconds after which a session with a broker that is not used is ended',
  ),
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
  AGENT_API_PLAIN_TEXT: flag.describe(
    'whether agents in a cluster, or on machines of customers, may call it by http: only where the network itself encrypts, as a service mesh does',
  ),
  COMPUTE_DRIVER: z
    .enum(registry.names('compute'))
    .default('local')
    .describe('what makes nodes: processes on this machine, or pods of a cluster'),
  BYOC_DRIVER: z
    .enum(registry.names('byoc'))
    .default('enrol')
    .describe(
      'what makes the nodes of new byoc deployments: machines of the customer that enrol by a command, or instances in their account of cloud_a',
    ),
  ENROLMENT_DEADLINE_SECONDS: positive(7 * 24 * 60 * 60).describe(
    'seconds that a deployment waits for machines of the customer before it fails; default: a week',
  ),
  BACKUP_COPY_SECONDS: positive(600, 86_400).describe(
    'seconds for which brokers may be stopped for a copy; then the backup fails and they start again',
  ),
  BROKER_RUNTIME: z
    .string()
    .regex(/^[a-z][a-z0-9-]{0,39}$/, 'has to be lowercase letters, digits and hyphens')
    .default('nats')
    .describe('broker product that agents run, by its name in their registry of runtimes'),
  NATS_SERVER_PATH: z.string().min(1).default('nats-server').describe('program that agents run as broker'),
  STREAM_PAGE_FILES: z
    .string()
    .min(1)
    .optional()
    .describe(
      'folder with the built page of streams that nodes on this machine (COMPUTE_DRIVER=local) and machines of customers serve at broker_http; without it they serve none',
    ),
  GATEWAY_HOST: z
    .string()
    .min(1)
    .default('127.0.0.1')
    .describe("address at which clients reach nodes' gateways"),
  GATEWAY_PRIVATE_HOST: z
    .string()
    .refine((address) => isPrivateAddress(address), 'has to be an IP address of a private network')
    .optional()
    .describe(
      'address of this machine that gateways of deployments without a public address listen on, and that clients connect to (COMPUTE_DRIVER=local); without it there are no such deployments',
    ),
  CONNECTORS_ALLOWED: z
    .string()
    .default('')
    .describe(
      'addresses and blocks that connectors may connect to although they are those of the node or its link, in CONNECTORS_REFUSED, or private ones of a cluster',
    ),
  CONNECTORS_REFUSED: z
    .string()
    .default('')
    .describe(
      'addresses and blocks that connectors may not connect to, such as those of the control plane; in a cluster all private ones are refused besides',
    ),
  SUBNET_RANGE: z
    .string()
    .refine((range) => ipaddr.IPv4.isValidCIDR(range), 'has to be an IPv4 block')
    .default('10.64.0.0/10')
    .describe('block that the /24 subnets of deployments are taken from'),
  NETWORK_DRIVER: z
    .enum(registry.names('network'))
    .default('emulated')
    .describe("driver of networks: the database alone, or the APIs of the region's cloud"),
  CERTIFICATE_DRIVER: z
    .enum([...registry.names('certificates'), 'none'])
    .default('local')
    .describe(
      "what gives deployments their certificates: the region's own authority, a public one by ACME (ACME_…), or nothing",
    ),
  BROKER_PLAIN_TEXT: flag.describe(
    'whether clients of new deployments come without TLS, unless a configuration says otherwise',
  ),
  CERTIFICATE_RENEW_AT: number(0.667, 0.1, 0.95).describe(
    'the part of its life after which a certificate is renewed',
  ),
  DRIVER_CERTIFICATE_SECONDS: positive(120, 3_600).describe(
    'seconds that a step towards a certificate may take',
  ),
  PROVISIONING_DEADLINE_SECONDS: positive(300).describe(
    'seconds that each step of provisioning, an upgrade and the way back from it may take',
  ),
  RECONCILER_SLOTS: whole(12, 1, 1_000).describe(
    'deployments that a replica works on at the same time; slow ones take half of them at most',
  ),
  RECONCILER_LEASE_SECONDS: number(6, 1, 600).describe(
    'seconds after which another replica continues the work of one that was killed or cut off',
  ),
  DRIVER_OBSERVE_SECONDS: positive(10, 3_600).describe('seconds that a driver may take to observe a node'),
  DRIVER_ENSURE_SECONDS: positive(30, 3_600).describe(
    'seconds that a driver may take to begin the creation of a node',
  ),
  DRIVER_REMOVE_SECONDS: positive(60, 3_600).describe('seconds that a driver may take to remove a node'),
  DRIVER_NETWORK_SECONDS: positive(20, 3_600).describe(
    'seconds that the network driver may take for a phase, or a step of a link',
  ),
  HEARTBEAT_SECONDS: positive(2).describe('seconds between the reports of an agent'),
  NODE_UNREACHABLE_SECONDS: positive(120).describe(
    'seconds of silence, while a supervisor listened, after which a node counts as unreachable',
  ),
  HEALTH_CPU_PERCENT: percent(85).describe("share of a node's processors at which an alert is raised"),
  HEALTH_MEMORY_PERCENT: percent(90).describe("share of a node's memory at which an alert is raised"),
  HEALTH_DISK_PERCENT: percent(85).describe("share of a node's volume at which an alert is raised"),
  HEALTH_RESOLVE_POINTS: number(5, 0, 100).describe(
    'percentage points below these, at which an alert is resolved',
  ),
  HEALTH_RAISE_SECONDS: number(300, 0, 86_400).describe(
    'seconds for which each sample has to be too high before an alert is raised',
  ),
  HEALTH_RESOLVE_SECONDS: number(60, 0, 86_400).describe(
    'seconds for which each sample has to be low again before it is resolved',
  ),
  METRICS_SECONDS: number(10, 0.1, 3_600).describe('seconds between two samples of what an agent measures'),
  TELEMETRY_SEND_SECONDS: number(30, 0.1, 3_600).describe(
    'seconds that samples wait at an agent, at most, to be sent together',
  ),
  TELEMETRY_SAMPLE_DAYS: whole(3, 3, 400).describe(
    'days for which each sample is kept; sums over five minutes and over an hour stay longer',
  ),
  TASK_DEADLINE_SECONDS: positive(600, 86_400).describe(
    'seconds in which a node has to complete a task, its time in the queue included',
  ),
  SNAPSHOT_DEADLINE_SECONDS: positive(300, 86_400).describe(
    'seconds in which a node has to send its findings for a snapshot',
  ),
  SNAPSHOT_ARCHIVE_MIB: whole(32, 1, 1_024).describe(
    "largest ZIP of a broker's data folder that the region's database keeps with a snapshot, in MiB",
  ),
  INVENTORY_SECONDS: number(300, 0.1, 86_400).describe(
    'approximate seconds between two inventories, after which the region and main-api send each other what is missing',
  ),
  ORPHANED_NODE_SECONDS: number(24 * 60 * 60, 0).describe(
    'seconds after which a node without a deployment is removed; default: a day',
  ),
  COMMAND_UNREADABLE_SECONDS: number(60, 0.1, 86_400).describe(
    'seconds for which an unreadable command waits for a replica of a newer release before its failure is reported',
  ),
  UNKNOWN_DEPLOYMENT_SECONDS: number(30 * 24 * 60 * 60, 0).describe(
    'seconds after which a deployment that main-api does not know is deleted; default: 30 days',
  ),
});

/** What a supervisor reads that has these drivers. */
export const environmentOf = (registry: Registry) =>
  signingServiceEnvironment.extend({ ...ownSettings(registry), ...feedSettings, ...registry.settings });
export const supervisorEnvironment = environmentOf(installedDrivers);
export type SupervisorEnvironment = z.infer<typeof supervisorEnvironment>;

/**
 * How exactly it is known when a node was heard of last, in seconds: it is written down once this much has passed since.
 * Small beside the silence that makes a node unreachable.
 */
export const heartbeatResolution = ({ NODE_UNREACHABLE_SECONDS }: SupervisorEnvironment) =>
  Math.min(30, NODE_UNREACHABLE_SECONDS / 8);

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

/** Seconds after which the newest sample of a node is not its present state any more. */
export const newestSeconds = ({ METRICS_SECONDS, TELEMETRY_SEND_SECONDS }: SupervisorEnvironment) =>
  Math.max(60, 2 * (METRICS_SECONDS + TELEMETRY_SEND_SECONDS));

export const relaySourcesOf = ({ BROKER_RELAY_SOURCES }: SupervisorEnvironment) =>
  blocksOf(BROKER_RELAY_SOURCES);
