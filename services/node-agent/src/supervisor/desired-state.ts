import { join } from 'node:path';
import type { DesiredCluster, DesiredState, NodeTask, WantedSnapshot } from '@sluice/contracts';
import {
  accessRuleIdSchema,
  configIdSchema,
  connectorInstanceIdSchema,
  deploymentIdSchema,
  nodeIdSchema,
  refSchema,
  snapshotIdSchema,
  taskIdSchema,
} from '@sluice/contracts/ids';
import type { Log } from '@sluice/system/log';
import { z } from 'zod';
import type { Sealing } from '../sealing.ts';

const protocol = z.enum(['broker_http', 'broker_tcp', 'broker_websocket', 'broker_udp']);

const connectorInstance = z.object({
  id: connectorInstanceIdSchema,
  type: z.enum(['sink', 'source']),
  connector_key: z.string(),
  key: z.string(),
  // what is in them is the runtime's to judge, which says what is wrong
  config: z.object({ id: z.int(), version: z.int(), values: z.record(z.string(), z.unknown()) }).nullable(),
});

const taskSchema: z.ZodType<NodeTask> = z.object({
  id: taskIdSchema,
  runtime: z.enum(['broker', 'connectors']),
  action: z.enum(['start', 'stop', 'restart', 'reconfigure']),
  config_id: configIdSchema.nullable(),
  deadline: z.iso.datetime(),
});

/** Unknown tasks are left to their deadline: the rest of the state holds. */
const tasksSchema = z
  .array(z.unknown())
  .transform((tasks) => tasks.flatMap((task) => taskSchema.safeParse(task).data ?? []));

const snapshotSchema: z.ZodType<WantedSnapshot> = z.object({
  id: snapshotIdSchema,
  redact_secrets: z.boolean(),
  deadline: z.iso.datetime(),
  archive_bytes: z.int().positive().optional(),
});
/** Unknown snapshots are left to their deadline as well. */
const snapshotsSchema = z
  .array(z.unknown())
  .transform((snapshots) => snapshots.flatMap((snapshot) => snapshotSchema.safeParse(snapshot).data ?? []));

const keyVersion = z.int().positive();
const encryptionSchema = z.object({
  version: keyVersion,
  keys: z
    .array(z.object({ version: keyVersion, key: z.string().regex(/^[0-9a-f]{64}$/) }))
    .min(1)
    .max(100),
});

const clusterSchema: z.ZodType<DesiredCluster> = z.object({
  name: z.string(),
  server_name: z.string(),
  host: z.string(),
  routes: z.array(z.object({ server_name: z.string(), host: z.string(), port: z.int() })).max(20),
  credentials: z.object({ username: z.string(), password: z.string() }),
  tls: z.object({ certificate: z.string(), private_key: z.string(), authority: z.string() }),
  may_restart: z.boolean(),
});

/** Fields of a newer supervisor are left out. */
export const desiredStateSchema: z.ZodType<DesiredState> = z.object({
  revision: z.int(),
  leave: z.boolean().optional(),
  traceparent: z.string().max(55).optional(),
  node: refSchema(nodeIdSchema),
  deployment: refSchema(deploymentIdSchema),
  broker: z.object({
    // empty for the only one of the agent; an unknown one is reported as a broker that failed, and the rest of the state holds
    runtime: z.string().default(''),
    state: z.enum(['running', 'stopped']),
    stopped_until: z.string().nullable(),
    credentials: z.object({ username: z.string(), password: z.string() }),
    values: z.record(z.string(), z.string()),
    config: z.object({ id: configIdSchema, name: z.string(), version: z.int() }).nullable(),
    rate_limit: z.int().positive().nullable(),
    former_credentials: z
      .array(z.object({ username: z.string(), password: z.string(), valid_to: z.string() }))
      .max(10),
    tls: z
      .object({
        certificate: z.string(),
        private_key: z.string(),
        authority: z.string(),
        server_name: z.string(),
        plain_text: z.boolean(),
      })
      .nullable()
      .optional(),
    encryption: encryptionSchema.nullable(),
    cluster: clusterSchema.nullable().optional(),
  }),
  access_rules: z.array(
    z.object({
      id: accessRuleIdSchema,
      protocols: z.array(protocol),
      cidr_blocks: z.array(z.string()),
      valid_to: z.string().nullable(),
    }),
  ),
  heartbeat_seconds: z.number().positive(),
  telemetry: z.object({ metrics_seconds: z.number().positive(), send_seconds: z.number().positive() }),
  connectors: z.object({
    state: z.enum(['running', 'stopped']),
    instances: z.array(connectorInstance).max(100),
  }),
  tasks: tasksSchema,
  snapshots: snapshotsSchema,
});

/**
 * The state, with absent fields as they were: TLS while there is no certificate, and fields that an older supervisor does not know.
 */
export function withFormer(state: DesiredState, former: DesiredState | null): DesiredState {
  if (former === null) return state;
  const encryption = withFormerKeys(state.broker.encryption, former.broker.encryption);
  return { ...former, ...state, broker: { ...former.broker, ...state.broker, encryption } };
}

type Encryption = DesiredState['broker']['encryption'];

/**
 * The keys for stored data with those that were sent before: a region whose database was restored does not know the newest, with which
 * the data of the node is encrypted.
 */
function withFormerKeys(sent: Encryption, former: Encryption): Encryption {
  if (!sent || !former) return sent;
  const keys = new Map([...sent.keys, ...former.keys].map((key) => [key.version, key]));
  return { version: Math.max(sent.version, former.version), keys: [...keys.values()] };
}

/** Keeps the last desired state, so that the agent can work without its supervisor. */
export function desiredStateFile(home: string, sealing: Sealing) {
  const path = join(home, 'desired-state.json');
  return {
    write: (state: DesiredState) => sealing.writeFile(path, JSON.stringify(state)),
    /** Null when there is none, or none that can be read. */
    read: async (log: Log): Promise<DesiredState | null> => {
      try {
        const text = await sealing.readFile(path);
        return text === null ? null : desiredStateSchema.parse(JSON.parse(text));
      } catch {
        log.error('the kept desired state is damaged or of another sealing key, waiting for the supervisor', {
          path,
        });
        return null;
      }
    },
  };
}
