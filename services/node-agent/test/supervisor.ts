import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import {
  type AgentIdentity,
  type DesiredState,
  type Enrolment,
  type Heartbeat,
  type Machine,
  type StreamReport,
  type TelemetryBatch,
  connectorInstanceIdSchema,
  idOf,
  type AccessRuleId,
  type ConnectorInstanceId,
  type DeploymentId,
  type NodeId,
  type TaskResult,
} from '@sluice/contracts';
import { importJWK, jwtVerify } from 'jose';
import { z } from 'zod';

const address = z.string().regex(/^[A-Za-z0-9.:-]{1,253}$/);
const machineSchema: z.ZodType<Machine> = z.strictObject({
  ...{ hostname: z.string().min(1), system: z.string(), kernel: z.string(), architecture: z.string() },
  ...{ processors: z.int().positive(), memory_bytes: z.int(), disk_bytes: z.int(), holds_data: z.boolean() },
  ...{ address, listens_on: address.optional() },
});
const enrolmentSchema: z.ZodType<Enrolment> = z.strictObject({
  machine: machineSchema.optional(),
  token: z.string().min(1),
  public_key: z.strictObject({
    kty: z.literal('OKP'),
    crv: z.literal('Ed25519'),
    x: z.string().regex(/^[A-Za-z0-9_-]{43}$/),
  }),
});
const port = z.int().min(1).max(65535).nullable();
const heartbeatSchema = z.strictObject({
  agent_version: z.string(),
  applied_revision: z.int().positive(),
  runtimes: z.array(
    z.strictObject({
      runtime: z.literal('broker'),
      status: z.enum(['starting', 'running', 'stopped', 'failed']),
      version: z.string().nullable(),
      reason: z.string().nullable(),
    }),
  ),
  ports: z.strictObject({
    broker_tcp: port,
    broker_http: port,
    broker_websocket: port,
    broker_udp: port,
  }),
  statistics: z
    .strictObject({
      streams: z.int(),
      topics: z.int(),
      partitions: z.int(),
      segments: z.int(),
      messages: z.int(),
      consumer_groups: z.int(),
      clients: z.int(),
    })
    .nullable(),
  applied: z.strictObject({
    revision: z.int().positive(),
    capacity: z
      .strictObject({
        connections: z.int().nullable(),
        memory_store: z.int().nullable(),
        file_store: z.int().nullable(),
        rate_limit: z.int().nullable(),
      })
      .nullable(),
    encryption_version: z.int().positive().nullable().optional(),
  }),
  cluster: z.custom<NonNullable<Heartbeat['cluster']>>().optional(),
  connectors: z
    .strictObject({
      status: z.enum(['starting', 'running', 'stopped', 'failed']),
      reason: z.string().max(500).nullable(),
      plugins: z.array(z.strictObject({ type: z.enum(['sink', 'source']), key: z.string() })).max(100),
      instances: z
        .array(
          z.strictObject({
            id: connectorInstanceIdSchema,
            status: z.enum(['Starting', 'Running', 'Stopping', 'Stopped', 'Error']),
            reason: z.string().max(500).nullable(),
            config_id: z.int().positive().nullable(),
            config_version: z.int().positive().nullable(),
            metrics: z.strictObject({
              messages_produced: z.int(),
              messages_consumed: z.int(),
              messages_processed: z.int(),
              messages_sent: z.int(),
              messages_filtered: z.int(),
              errors: z.int(),
            }),
          }),
        )
        .max(100),
    })
    .optional(),
});

const runtime = z.enum(['node', 'agent', 'gateway', 'broker', 'connectors']);
const telemetrySchema: z.ZodType<TelemetryBatch> = z.strictObject({
  spool: z.uuid(),
  number: z.int().positive(),
  samples: z
    .array(
      z.strictObject({
        at: z.iso.datetime(),
        runtime,
        connector_instance_id: z.int().positive().optional() as z.ZodType<ConnectorInstanceId | undefined>,
        status: z.enum(['starting', 'running', 'stopped', 'failed']).optional(),
        instance_status: z.enum(['Starting', 'Running', 'Stopping', 'Stopped', 'Error']).optional(),
        metrics: z.record(z.string().regex(/^[a-z][a-z0-9_]{0,59}$/), z.number()),
      }),
    )
    .max(500),
  lines: z
    .array(
      z.strictObject({
        at: z.iso.datetime(),
        runtime,
        level: z.enum(['debug', 'info', 'warn', 'error']),
        message: z.string().max(4_000),
      }),
    )
    .max(500),
});

const taskResultSchema: z.ZodType<TaskResult> = z.strictObject({
  status: z.enum(['completed', 'failed']),
  error: z.string().max(1_000).nullable(),
});

type Changes = Partial<
  Pick<DesiredState, 'access_rules' | 'heartbeat_seconds' | 'tasks' | 'telemetry' | 'connectors'>
> & {
  broker?: Partial<DesiredState['broker']>;
};

export const credentials = { username: 'deployment', password: 'correct horse' };

export const everybody: DesiredState['access_rules'] = [
  {
    id: idOf<AccessRuleId>(1),
    protocols: ['broker_tcp', 'broker_websocket'],
    cidr_blocks: ['0.0.0.0/0'],
    valid_to: null,
  },
];

export type FirstBroker = Partial<DesiredState['broker']>;

class Refused extends Error {
  readonly status: number;
  constructor(status: number) {
    super();
    this.status = status;
  }
}

/** The supervisor's side of the agents' API, for one node. It believes only correctly signed requests. */
export class TestSupervisor {
  token = 'one-time-token';
  /** Paths and statuses of what was refused. */
  readonly refusals: string[] = [];
  /** those that requests were signed with */
  readonly tokens = new Set<string>();
  readonly #state: DesiredState = {
    revision: 1,
    node: { id: idOf<NodeId>(11), name: 'node-1' },
    deployment: { id: idOf<DeploymentId>(7), name: 'orders' },
    broker: {
      ...{ runtime: 'nats', state: 'running', stopped_until: null, credentials, values: {}, config: null },
      ...{ rate_limit: null, former_credentials: [], encryption: null, tls: null },
    },
    access_rules: [],
    heartbeat_seconds: 0.2,
    telemetry: { metrics_seconds: 60, send_seconds: 60 },
    connectors: { state: 'running', instances: [] },
    tasks: [],
    snapshots: [],
  };
  readonly #operations: Record<string, (request: IncomingMessage, url: URL) => Promise<unknown>> = {
    'POST /agent/v1/enrol': (request) => this.#enrol(request),
    'GET /agent/v1/desired': (request, url) => this.#desired(request, url),
    'POST /agent/v1/heartbeats': (request) => this.#heartbeat(request),
    'POST /agent/v1/telemetry': (request) => this.#takeTelemetry(request),
    'POST /agent/v1/streams': (request) => this.#takeStreams(request),
    'POST /agent/v1/machine': (request) => this.#takeMachine(request),
  };
  /** what its machine was said to be last */
  machine: Machine | null = null;
  readonly batches: TelemetryBatch[] = [];
  readonly streamReports: StreamReport[] = [];
  /** With this status telemetry is refused. */
  refusesTelemetry: number | null = null;
  /** whether it takes in what is told of tasks */
  takesResults = true;
  readonly results: (TaskResult & { id: number })[] = [];
  readonly #watchers = new Set<() => void>();
  #server: Server | null = null;
  #port = 0;
  #key: Enrolment['public_key'] | null = null;
  #applied = 0;
  #last: Heartbeat | null = null;
  /** How far its clock is ahead of this machine's, in milliseconds. */
  clockAhead = 0;

  constructor(broker: FirstBroker = {}) {
    Object.assign(this.#state.broker, broker);
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  async comeBack(): Promise<void> {
    const server = createServer((request, response) => void this.#answer(request, response));
    await once(server.listen(this.#port, '127.0.0.1'), 'listening');
    const address = server.address();
    if (typeof address === 'object' && address !== null) this.#port = address.port;
    this.#server = server;
  }

  async goAway(): Promise<void> {
    this.#server?.closeAllConnections();
    await new Promise((resolve) => this.#server?.close(resolve));
  }

  /** Changes what the node should look like; resolves once the agent says that it has applied it. */
  async desire({ broker, ...rest }: Changes): Promise<void> {
    const revision = this.#state.revision + 1;
    Object.assign(this.#state, rest, { revision, broker: { ...this.#state.broker, ...broker } });
    this.#changed();
    await this.#until(() => this.#applied >= revision);
  }

  /** The last heartbeat, or the next one that fits. */
  async heard(fits: (heartbeat: Heartbeat) => boolean): Promise<Heartbeat> {
    const found: Heartbeat[] = [];
    await this.#until(() => {
      if (this.#last !== null && fits(this.#last)) found.push(this.#last);
      return found.length > 0;
    });
    const [heartbeat] = found;
    if (heartbeat === undefined) throw new Error('no heartbeat');
    return heartbeat;
  }

  async result(id: number): Promise<TaskResult> {
    await this.#until(() => this.results.some((result) => result.id === id));
    const { status, error } = this.results.findLast((result) => result.id === id)!;
    return { status, error };
  }

  /** Like `heard`, but only of heartbeats that come from now on. */
  async hears(fits: (heartbeat: Heartbeat) => boolean): Promise<Heartbeat> {
    this.#last = null;
    return await this.heard(fits);
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '', this.url);
    response.setHeader('svc-time', this.#now().getTime());
    try {
      const task = /^\/agent\/v1\/tasks\/(\d+)\/result$/.exec(url.pathname)?.[1];
      const body = await (task === undefined
        ? this.#operations[`${request.method} ${url.pathname}`]?.(request, url)
        : this.#taskResult(request, Number(task)));
      response.writeHead(body === undefined ? 204 : 200).end(JSON.stringify(body));
    } catch (error) {
      const status = error instanceof Refused ? error.status : error instanceof z.ZodError ? 422 : 500;
      this.refusals.push(`${url.pathname} ${status}`);
      response.writeHead(status).end('{"code":"refused"}');
    }
  }

  /** Knows the agent no more, and lets one enrol with another token. */
  forget(token: string): void {
    this.token = token;
    this.#key = null;
  }

  async #enrol(request: IncomingMessage): Promise<AgentIdentity> {
    const { token, public_key, machine = null } = enrolmentSchema.parse(await json(request));
    if (token !== this.token || (this.#key !== null && this.#key.x !== public_key.x)) throw new Refused(401);
    this.#key = public_key;
    this.machine = machine;
    return { node_id: this.#state.node.id, deployment_id: this.#state.deployment.id };
  }

  async #takeMachine(request: IncomingMessage): Promise<void> {
    await this.#authorize(request);
    this.machine = machineSchema.parse(await json(request));
  }

  async #desired(request: IncomingMessage, url: URL): Promise<DesiredState | undefined> {
    await this.#authorize(request);
    const revision = Number(url.searchParams.get('revision'));
    this.#applied = revision;
    this.#changed();
    const expired = AbortSignal.timeout(Number(url.searchParams.get('wait')) * 1_000);
    expired.addEventListener('abort', () => this.#changed());
    await this.#until(() => this.#state.revision !== revision || expired.aborted);
    return this.#state.revision === revision ? undefined : this.#state;
  }

  async #heartbeat(request: IncomingMessage): Promise<void> {
    await this.#authorize(request);
    this.#last = heartbeatSchema.parse(await json(request));
    this.#changed();
  }

  async #takeStreams(request: IncomingMessage): Promise<void> {
    await this.#authorize(request);
    if (Number(request.headers['content-length']) > 65_536) throw new Refused(413);
    this.streamReports.push((await json(request)) as StreamReport);
  }

  async #takeTelemetry(request: IncomingMessage): Promise<void> {
    await this.#authorize(request);
    const batch = telemetrySchema.parse(await json(request));
    if (this.refusesTelemetry !== null) throw new Refused(this.refusesTelemetry);
    this.batches.push(batch);
    this.#changed();
  }

  /** Waits until what was told is enough. */
  async told(isEnough: (batches: readonly TelemetryBatch[]) => boolean): Promise<void> {
    await this.#until(() => isEnough(this.batches));
  }

  async #taskResult(request: IncomingMessage, id: number): Promise<void> {
    await this.#authorize(request);
    if (!this.takesResults) throw new Refused(503);
    this.results.push({ id, ...taskResultSchema.parse(await json(request)) });
    this.#changed();
  }

  async #authorize(request: IncomingMessage): Promise<void> {
    if (this.#key === null) throw new Refused(401);
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    this.tokens.add(token);
    const options = {
      audience: 'sluice-supervisor',
      subject: String(this.#state.node.id),
      algorithms: ['EdDSA'],
      maxTokenAge: '60 s',
      clockTolerance: 5,
      currentDate: this.#now(),
      requiredClaims: ['jti', 'exp'],
    };
    await jwtVerify(token, await importJWK(this.#key, 'EdDSA'), options).catch(() => {
      throw new Refused(401);
    });
  }

  #now(): Date {
    return new Date(Date.now() + this.clockAhead);
  }

  #changed(): void {
    for (const watcher of this.#watchers) watcher();
  }

  async #until(condition: () => boolean): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const watcher = () => {
      if (condition()) resolve();
    };
    this.#watchers.add(watcher);
    watcher();
    await promise;
    this.#watchers.delete(watcher);
  }
}

export async function startTestSupervisor(broker?: FirstBroker): Promise<TestSupervisor> {
  const supervisor = new TestSupervisor(broker);
  await supervisor.comeBack();
  return supervisor;
}
