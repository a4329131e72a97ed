import { topology, type Sender, type Topology } from '@sluice/contracts';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import pg from 'pg';
import { testDatabase, writerUrl } from './database.ts';
import { compiledCode } from './environment.ts';
import { PlayedMainApi } from './grants.ts';
import { makeStreams, testNats } from './nats.ts';
import { testKeys } from './signing-keys.ts';
import { ownNats, ownPostgres, type OwnServer } from './own-servers.ts';
import type { Template } from './template.ts';

/** in which a service comes up, or ends with all that it has begun, on a machine that is busy */
const hookMilliseconds = 90_000;

/** A service that runs in this process. */
export interface Running {
  port: number;
  stop(): Promise<void>;
}

/** One running instance of the service under test. */
export interface TestReplica<Service extends Running = Running> {
  readonly url: string;
  readonly service: Service;
  /** Stops it, unless it has been stopped before. */
  stop(): Promise<void>;
}

export interface FixtureOptions {
  /** `file`: all tests share it; `test`: each has one of its own */
  per?: 'file' | 'test';
  /** how many run when a test begins */
  replicas?: number;
  /** a server of the fixture's own, to be taken away from the service */
  own?: 'postgres' | 'nats';
  /** what its database has before the service starts for the first time */
  template?: Template;
  /** whose keys the service signs with; default: main-api's */
  sender?: Sender;
  /** whether the fixture plays main-api's part, for a service that checks keys */
  playsMainApi?: boolean;
  /** whether the service works as another role than the owner of its database */
  writer?: boolean;
  /** what the service needs to know beside its servers */
  environment?: Record<string, string>;
}

/** Starts the service with this environment. */
export type StartService<Service extends Running> = (environment: Record<string, string>) => Promise<Service>;

/** What is there while the fixture is open. */
interface Ground {
  databaseUrl: string;
  natsUrl: string;
  namespace: string;
  nats: NatsConnection;
  pool: pg.Pool;
  environment: Record<string, string>;
  own: OwnServer | undefined;
  mainApi: PlayedMainApi | undefined;
  deleteNamespace(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * A service under test on a database and a NATS namespace of its own. Its hooks register themselves: it opens before
 * the tests of the file or describe block that it is created in, or before each, and closes after them. Until then
 * only its methods can be used, not its properties.
 */
export class ServiceFixture<Service extends Running = Running> {
  readonly #start: StartService<Service>;
  readonly #options: FixtureOptions;
  readonly #beforeStart: (() => unknown)[] = [];
  readonly #openings: (() => unknown)[] = [];
  #closings: (() => unknown)[] = [];
  #running: TestReplica<Service>[] = [];
  #ground: Ground | undefined;

  constructor(start: StartService<Service>, options: FixtureOptions = {}) {
    this.#start = start;
    this.#options = options;
    const [before, after] = options.per === 'test' ? [beforeEach, afterEach] : [beforeAll, afterAll];
    before(() => this.#open(), hookMilliseconds);
    after(() => this.#close(), hookMilliseconds);
  }

  get databaseUrl(): string {
    return this.#opened.databaseUrl;
  }
  get natsUrl(): string {
    return this.#opened.natsUrl;
  }
  get namespace(): string {
    return this.#opened.namespace;
  }
  get topology(): Topology {
    return topology(this.#opened.namespace);
  }
  /** the tests' own connection */
  get nats(): NatsConnection {
    return this.#opened.nats;
  }
  /** what every replica is started with; may be added to */
  get environment(): Record<string, string> {
    return this.#opened.environment;
  }
  /** the server that was asked for */
  get own(): OwnServer {
    const { own } = this.#opened;
    if (!own) throw new Error('The fixture has no server of its own: ask for one by its options.');
    return own;
  }

  /** the part of main-api that the fixture plays */
  get mainApi(): PlayedMainApi {
    const { mainApi } = this.#opened;
    if (!mainApi) throw new Error('The fixture does not play main-api: ask for it by its options.');
    return mainApi;
  }

  /** Has `prepare` called whenever the fixture opens, before the replicas start. */
  beforeStart(prepare: () => unknown): void {
    this.#beforeStart.push(prepare);
  }

  /** Has `open` called whenever the fixture opens, once the replicas run. */
  onOpen(open: () => unknown): void {
    this.#openings.push(open);
  }

  /** Has `close` called when the fixture closes, before its replicas stop; last registered, first called. */
  onClose(close: () => unknown): void {
    this.#closings.push(close);
  }

  /** One of the replicas that run when a test begins, or were started since; can be kept before they run. */
  replica(position = 0): TestReplica<Service> {
    const current = () => {
      const replica = this.#running[position];
      if (!replica) throw new Error(`There is no replica ${position}.`);
      return replica;
    };
    return {
      get url() {
        return current().url;
      },
      get service() {
        return current().service;
      },
      stop: () => current().stop(),
    };
  }

  /** all that have been started */
  get replicas(): readonly TestReplica<Service>[] {
    return this.#running;
  }

  /** Starts one more replica; it is stopped with the fixture unless it was before. */
  async start(more: Record<string, string> = {}, start = this.#start): Promise<TestReplica<Service>> {
    const started = await start({ ...this.environment, ...more });
    let stopping: Promise<void> | undefined;
    const stop = () => (stopping ??= started.stop());
    const service = { ...started, stop };
    const replica = { url: `http://127.0.0.1:${service.port}`, service, stop };
    this.#running.push(replica);
    return replica;
  }

  async stopAll(): Promise<void> {
    await Promise.all(this.#running.map((replica) => replica.stop()));
  }

  /** Runs a statement, for states that no operation leads to. */
  async sql<Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> {
    return (await this.#opened.pool.query<Row>(text, values)).rows;
  }

  /** Deletes all streams and buckets, as if NATS had lost them. */
  async deleteNamespace(): Promise<void> {
    await this.#opened.deleteNamespace();
  }

  /** Makes the streams again, as main-api does. They are there when the fixture opens. */
  async makeStreams(): Promise<void> {
    await makeStreams(this.nats, this.topology);
  }

  get #opened(): Ground {
    if (!this.#ground) throw new Error('The fixture is not open: use it in a hook or a test.');
    return this.#ground;
  }

  async #open(): Promise<void> {
    this.#ground = await prepareGround(this.#options);
    for (const prepare of this.#beforeStart) await prepare();
    await Promise.all(Array.from({ length: this.#options.replicas ?? 0 }, () => this.start()));
    for (const open of this.#openings) await open();
  }

  async #close(): Promise<void> {
    for (const close of this.#closings.reverse()) await close();
    await this.stopAll();
    await this.#ground?.remove();
    this.#closings = [];
    this.#running = [];
    this.#ground = undefined;
  }
}

async function prepareGround({
  own,
  sender = 'main-api',
  environment,
  playsMainApi,
  template,
  writer,
}: FixtureOptions): Promise<Ground> {
  const server = own && (await (own === 'nats' ? ownNats() : ownPostgres()));
  const database = own === 'postgres' ? undefined : await testDatabase(template);
  const shared = testNats();
  const { namespace } = shared;
  const databaseUrl = database?.url ?? server?.url ?? '';
  const natsUrl = own === 'nats' ? (server?.url ?? '') : shared.url;
  const nats = await connect({ servers: natsUrl, maxReconnectAttempts: -1, reconnectTimeWait: 50 });
  await makeStreams(nats, topology(namespace));
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 3 });
  const mainApi = playsMainApi ? new PlayedMainApi({ nats, topology: topology(namespace) }) : undefined;
  await mainApi?.makeBuckets();
  // a server that is taken away ends its connections
  pool.on('error', () => undefined);
  return {
    databaseUrl,
    natsUrl,
    namespace,
    nats,
    pool,
    own: server,
    mainApi,
    environment: {
      ...compiledCode(),
      SIGNING_KEYS: testKeys.signing.get(sender) ?? '',
      TRUSTED_KEYS: testKeys.trusted,
      PORT: '0',
      DATABASE_URL: databaseUrl,
      ...(writer && { DATABASE_WRITER_URL: await writerUrl(databaseUrl) }),
      NATS_URL: natsUrl,
      NATS_NAMESPACE: namespace,
      VALIDATE_RESPONSES: 'true',
      LOG_LEVEL: 'error',
      // tests kill replicas, and a change of rights waits for their leases
      GRANT_LEASE_SECONDS: '2',
      // tests are refused more often than anybody else
      ADDRESS_RATE_LIMIT_PER_SECOND: '100000',
      ADDRESS_RATE_LIMIT_BURST: '100000',
      ...environment,
    },
    deleteNamespace: () => shared.deleteNamespace(),
    async remove() {
      await pool.end();
      await nats.close();
      await database?.drop();
      if (own !== 'nats') await shared.deleteNamespace();
      await server?.remove();
    },
  };
}
