import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { natsServerProgram, startPostgres } from '@sluice/embedded';
import { supervisorOf } from '@sluice/contracts';
import { findProcesses, naming, sendSignal } from '@sluice/system';
import pg from 'pg';
import { balancer } from './balancer.ts';
import { addColleague, addSession } from './colleague.ts';
import { writerUrl } from './database.ts';
import { eventually } from './eventually.ts';
import { stackFolder } from './folder.ts';
import { preparePostgres } from './prepared-postgres.ts';
import {
  endReplica,
  seed,
  startReplica,
  type Layer,
  type Replica,
  type ReplicaStart,
  type Seeded,
} from './replica-process.ts';
import { replaceableDatabases, replaceableNats } from './replaceable-servers.ts';
import { testKeys } from './signing-keys.ts';

export type { Layer, Replica } from './replica-process.ts';

/** Several instances of each layer, as in production, on a PostgreSQL and a NATS of their own. */
export interface ReplicatedStack extends Seeded {
  replicas: Replica[];
  /** the databases' addresses */
  databases: Record<Layer, string>;
  /** the process of PostgreSQL */
  postgres: number;
  of(layer: Layer): Replica[];
  /** Starts one more. */
  another(layer: Layer, options?: Pick<ReplicaStart, 'patience' | 'sources'>): Promise<Replica>;
  /** Ends one as an orderly replacement does. */
  end(replica: Replica): Promise<void>;
  /** Runs a statement in a service's database, for states that no operation leads to. */
  query<Row extends pg.QueryResultRow>(text: string, values?: unknown[], layer?: Layer): Promise<Row[]>;
  /** a service's database; only while none of its replicas runs */
  database: {
    /** Keeps what it has now. */
    backUp(layer: Layer): Promise<void>;
    /** Puts what was kept in its place. */
    restore(layer: Layer): Promise<void>;
  };
  nats: {
    /** the address, for a user who may do everything */
    url: string;
    operatorSeed: string;
    stop(): Promise<void>;
    start(): Promise<void>;
    /** Keeps what it has now. */
    backUp(): Promise<void>;
    /** Starts it anew with what was kept, or with nothing. */
    restore(from: 'backup' | 'nothing'): Promise<void>;
    process(): number;
  };
  /** where the notifier writes its mails */
  mails: string;
  /** the id of another member than the owner, with the role admin */
  colleague: number;
  /** Makes a key the colleague's own, as if they had made it. In force with the next change of their membership. */
  giveToColleague(apiKeyId: number): Promise<void>;
  /** Opens a session of the colleague, whom no identity provider can vouch for here. @returns its token */
  openSession(): Promise<string>;
  remove(): Promise<void>;
}

export interface ReplicasOptions {
  /** settings of all services */
  environment?: Record<string, string>;
  /** the folder of the release that they are of; default: this one */
  sources?: string;
  /** true: each logs to a file of its own, which goes with the stack, instead of to this process's output */
  keepLogs?: boolean;
  /** default: those that answer requests */
  layers?: readonly Layer[];
  /** whether replicas of the release before may work beside those of this one */
  upgrading?: boolean;
  /** how long each may take to start, in milliseconds */
  patience?: number;
}

const region = { cloud: 'cloud_a', region: 'us-east-1' };
const senders = {
  'main-api': 'main-api',
  supervisor: supervisorOf(region),
  audit: 'audit',
  notifier: 'notifier',
} as const;
const allLayers = Object.keys(senders) as Layer[];
const probes: Record<Layer, (tenantId: number) => string> = {
  'main-api': (tenant) => `/tenants/${tenant}`,
  supervisor: (tenant) => `/tenants/${tenant}/summary`,
  audit: (tenant) => `/audit/tenants/${tenant}?results=1`,
  notifier: () => '/readyz',
};

const secret = () => randomBytes(32).toString('base64');

/** Starts `count` instances of each layer, as processes. */
export async function startReplicas(
  count: number,
  {
    environment = {},
    sources,
    keepLogs,
    layers = ['main-api', 'supervisor', 'audit'],
    upgrading = false,
    patience,
  }: ReplicasOptions = {},
): Promise<ReplicatedStack> {
  const ground = await prepareGround(environment, upgrading);
  const logs = keepLogs ? ground.folder : undefined;
  try {
    const seeded = await seed(ground.environmentOf('main-api'), sources);
    const stack = { ...ground, ...seeded, ...(await withPeople(ground, seeded)) };
    const another: ReplicatedStack['another'] = async (layer, options) => {
      const probe = probes[layer](seeded.tenant_id);
      const replica = await startReplica({
        ...{ layer, probe, environment: ground.environmentOf(layer), sources, logs, patience },
        ...options,
      });
      ground.replicas.push(replica);
      return replica;
    };
    const starts = layers.flatMap((layer) => Array.from({ length: count }, () => another(layer)));
    // where one does not start, the others are there to be removed
    await Promise.allSettled(starts);
    await Promise.all(starts);
    return { ...stack, another };
  } catch (error) {
    await ground.remove();
    throw error;
  }
}

type Ground = Omit<ReplicatedStack, keyof Seeded | keyof People | 'another'> & {
  folder: string;
  environmentOf: (layer: Layer) => Record<string, string>;
};

/** What replicas stand on: a folder, the servers, a database for each layer. */
async function prepareGround(more: Record<string, string>, upgrading: boolean): Promise<Ground> {
  const folder = await stackFolder();
  await preparePostgres(join(folder, 'postgres'));
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), durable: false });
  const nats = await replaceableNats(join(folder, 'nats'), Object.values(senders), upgrading);
  const databases = await makeDatabases(postgres.url);
  const writer = { DATABASE_WRITER_URL: await writerUrl(databases.audit) };
  const pools = byLayer((layer) =>
    // a database that is exchanged ends its connections
    new pg.Pool({ connectionString: databases[layer], max: 1 }).on('error', () => undefined),
  );
  const replicas: Replica[] = [];
  const of = (layer: Layer) => replicas.filter((replica) => replica.layer === layer);
  const supervisors = await balancer(() => of('supervisor').map(({ url }) => url));
  const common = {
    ...settings(folder),
    NATS_SERVER_PATH: await natsServerProgram(),
    NATS_URL: nats.url,
    AGENT_API_URL: supervisors.url,
    ...more,
  };
  return {
    folder,
    replicas,
    databases,
    postgres: postgres.pid,
    of,
    nats,
    mails: join(folder, 'mails'),
    environmentOf: (layer) => ({
      ...common,
      ...nats.environmentOf(senders[layer]),
      SIGNING_KEYS: testKeys.signing.get(senders[layer]) ?? '',
      DATABASE_URL: databases[layer],
      ...(layer === 'audit' && writer),
    }),
    database: replaceableDatabases(postgres.url),
    async end(replica) {
      replicas.splice(replicas.indexOf(replica), 1);
      await endReplica(replica);
    },
    async query<Row extends pg.QueryResultRow>(
      text: string,
      values: unknown[] = [],
      layer: Layer = 'main-api',
    ) {
      return (await pools[layer].query<Row>(text, values)).rows;
    },
    async remove() {
      for (const pool of Object.values(pools)) await pool.end();
      for (const replica of replicas) {
        replica.process.kill('SIGCONT');
        replica.process.kill('SIGKILL');
        replica.nats.close();
      }
      supervisors.close();
      for (const pid of await findProcesses(naming(join(folder, 'nodes')))) sendSignal(pid, 'SIGKILL');
      await nats.stop().catch(() => undefined);
      await postgres.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

type People = Pick<ReplicatedStack, 'colleague' | 'giveToColleague' | 'openSession'>;

async function withPeople({ query, replicas }: Ground, { tenant_id }: Seeded): Promise<People> {
  const colleague = await addColleague(query, tenant_id);
  return {
    colleague,
    async giveToColleague(apiKeyId) {
      await query('UPDATE api_keys SET user_id = $1 WHERE id = $2', [colleague, apiKeyId]);
    },
    async openSession() {
      const token = await addSession(query, tenant_id, colleague);
      const cookie = `sluice_session=${token}`;
      for (const { url, probe } of replicas)
        await eventually(async () => {
          const { status } = await fetch(url + probe, { headers: { cookie } });
          if (status !== 200) throw new Error(`the session is not open yet: ${status}`);
        });
      return token;
    },
  };
}

/** The settings of all services; each takes its own. */
function settings(folder: string): Record<string, string> {
  return {
    PATH: process.env['PATH'] ?? '',
    LOG_LEVEL: 'error',
    // tests kill replicas, and a change of rights waits for their leases
    GRANT_LEASE_SECONDS: '2',
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '1000000',
    ADDRESS_RATE_LIMIT_PER_SECOND: '1000000',
    ADDRESS_RATE_LIMIT_BURST: '1000000',
    CLOUD: region.cloud,
    REGION: region.region,
    COMPUTE_DRIVER: 'local',
    LOCAL_NODES_DIR: join(folder, 'nodes'),
    LOCAL_RUNTIME_DIR: join(folder, 'runtime'),
    // clients of tests trust no authority
    BROKER_PLAIN_TEXT: 'true',
    SECRETS_KEYS: `test:${secret()}`,
    MAIL_KEYS: `test:${secret()}`,
    MAIN_API_URL: 'http://127.0.0.1',
    MAIL_FROM: 'Sluice <no-reply@sluice.localhost>',
    MAIL_TRANSPORT: 'file',
    MAIL_DIR: join(folder, 'mails'),
    PROTECTION_KEY: secret(),
    TRUSTED_KEYS: testKeys.trusted,
  };
}

function byLayer<T>(make: (layer: Layer) => T): Record<Layer, T> {
  return Object.fromEntries(allLayers.map((layer) => [layer, make(layer)])) as Record<Layer, T>;
}

async function makeDatabases(server: string): Promise<Record<Layer, string>> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  for (const layer of allLayers) await client.query(`CREATE DATABASE "${layer}"`);
  await client.end();
  return byLayer((layer) => {
    const url = new URL(server);
    url.pathname = `/${layer}`;
    return url.href;
  });
}
