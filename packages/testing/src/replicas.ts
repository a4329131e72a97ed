import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, startNats, startPostgres, type ServerProcess } from '@sluice/embedded';
import {
  idOf,
  noPermissions,
  noTenant,
  sessionGrantKey,
  supervisorOf,
  tokenHash,
  type TenantId,
  type UserId,
} from '@sluice/contracts';
import pg from 'pg';
import { eventually } from './eventually.ts';
import { aGrant } from './grants.ts';
import { natsUsers } from './nats-users.ts';
import { faultProxy, type FaultProxy } from './fault-proxy.ts';
import { testKeys } from './signing-keys.ts';

const repository = join(import.meta.dirname, '../../..');

/** One running instance of a service. */
export interface Replica {
  layer: 'main-api' | 'supervisor' | 'audit';
  url: string;
  /** a request that any key with all permissions may make, and no other */
  probe: string;
  process: ChildProcess;
  /** the file that it logs to, where logs are kept */
  log: string | undefined;
  /** its own way to NATS */
  nats: FaultProxy;
}

/** Several instances of each layer, as in production, on a PostgreSQL and a NATS of their own. */
export interface ReplicatedStack {
  replicas: Replica[];
  of(layer: Replica['layer']): Replica[];
  /** Starts one more. @param patience how long it may take, in milliseconds */
  another(layer: Replica['layer'], patience?: number): Promise<Replica>;
  /** the databases' addresses */
  databases: Record<Replica['layer'], string>;
  /** the process of PostgreSQL */
  postgres: number;
  /** Runs a statement in main-api's database, for states that no operation leads to. */
  query(text: string, values?: unknown[]): Promise<void>;
  tenant_id: number;
  division_id: number;
  api_key: string;
  nats: {
    stop(): Promise<void>;
    start(): Promise<void>;
    /** Keeps what it has now. */
    backUp(): Promise<void>;
    /** Starts it anew with what was kept, or with nothing. */
    restore(from: 'backup' | 'nothing'): Promise<void>;
    process(): number;
  };
  /** the id of another member than the owner, with the role admin */
  colleague: number;
  /** Makes a key the colleague's own, as if they had made it. In force with the next change of their membership. */
  giveToColleague(apiKeyId: number): Promise<void>;
  /** Opens a session of the colleague, whom no identity provider can vouch for here. @returns its token */
  openSession(): Promise<string>;
  remove(): Promise<void>;
}

const region = { cloud: 'cloud_a', region: 'us-east-1' };
const supervisor = supervisorOf(region);

const secret = () => randomBytes(32).toString('base64');

/**
 * Starts `count` instances of main-api, of a supervisor and of audit, as processes.
 * @param more settings of all of them
 * @param keepLogs true: each logs to a file of its own, which goes with the stack, instead of to this process's output
 */
export async function startReplicas(
  count: number,
  more: Record<string, string> = {},
  { keepLogs = false } = {},
): Promise<ReplicatedStack> {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-replicas-'));
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), durable: false });
  const natsPort = await freePort();
  const { users, environmentOf } = natsUsers(['main-api', 'audit', supervisor]);
  const startOwnNats = () => startNats({ folder: join(folder, 'nats'), port: natsPort, users });
  let nats: ServerProcess = await startOwnNats();
  const startAgain = async () => {
    nats = await startOwnNats();
  };
  const common = {
    PATH: process.env['PATH'] ?? '',
    NATS_URL: nats.url,
    LOG_LEVEL: 'error',
    RATE_LIMIT_PER_SECOND: '1000000',
    RATE_LIMIT_BURST: '1000000',
    ADDRESS_RATE_LIMIT_PER_SECOND: '1000000',
    ADDRESS_RATE_LIMIT_BURST: '1000000',
    CATALOGUE_FILE: join(repository, 'infra/catalogue.yaml'),
    CLOUD: region.cloud,
    REGION: region.region,
    COMPUTE_DRIVER: 'local',
    LOCAL_NODES_DIR: join(folder, 'nodes'),
    SECRETS_KEYS: `test:${secret()}`,
    MAIL_KEYS: `test:${secret()}`,
    PROTECTION_KEY: secret(),
    TRUSTED_KEYS: testKeys.trusted,
    ...more,
  };
  const databases = {
    'main-api': await makeDatabase(postgres.url, 'main_api'),
    supervisor: await makeDatabase(postgres.url, 'supervisor'),
    audit: await makeDatabase(postgres.url, 'audit'),
  };
  const seeded = await seed({
    ...common,
    PORT: '0',
    PUBLIC_URL: 'http://127.0.0.1',
    DATABASE_URL: databases['main-api'],
  });
  const mainApi = new pg.Pool({ connectionString: databases['main-api'], max: 1 });
  const colleague = await addColleague(mainApi, seeded.tenant_id);
  const layers = [
    {
      layer: 'main-api',
      sender: 'main-api',
      database: databases['main-api'],
      probe: `/tenants/${seeded.tenant_id}`,
    },
    {
      layer: 'supervisor',
      sender: supervisor,
      database: databases.supervisor,
      probe: `/tenants/${seeded.tenant_id}/summary`,
    },
    {
      layer: 'audit',
      sender: 'audit',
      database: databases.audit,
      probe: `/audit/tenants/${seeded.tenant_id}?results=1`,
    },
  ] as const;
  const startOne = ({ layer, sender, database, probe }: (typeof layers)[number], patience?: number) =>
    startReplica(
      layer,
      probe,
      {
        ...common,
        ...environmentOf(sender),
        SIGNING_KEYS: testKeys.signing.get(sender) ?? '',
        DATABASE_URL: database,
      },
      { patience, logs: keepLogs ? folder : undefined },
    );
  const replicas = await Promise.all(
    layers.flatMap((layer) => Array.from({ length: count }, () => startOne(layer))),
  );
  return {
    ...seeded,
    replicas,
    databases,
    postgres: postgres.pid,
    async another(layer, patience) {
      const wanted = layers.find((candidate) => candidate.layer === layer) ?? layers[0];
      const replica = await startOne(wanted, patience);
      replicas.push(replica);
      return replica;
    },
    async query(text, values = []) {
      await mainApi.query(text, values);
    },
    of: (layer) => replicas.filter((replica) => replica.layer === layer),
    nats: {
      stop: () => nats.stop(),
      start: startAgain,
      async backUp() {
        await nats.stop();
        await cp(join(folder, 'nats/store'), join(folder, 'backup'), { recursive: true });
        await startAgain();
      },
      async restore(from) {
        await nats.stop();
        await rm(join(folder, 'nats/store'), { recursive: true, force: true });
        if (from === 'backup')
          await cp(join(folder, 'backup'), join(folder, 'nats/store'), { recursive: true });
        await startAgain();
      },
      process: () => nats.pid,
    },
    colleague,
    async giveToColleague(apiKeyId) {
      await mainApi.query('UPDATE api_keys SET user_id = $1 WHERE id = $2', [colleague, apiKeyId]);
    },
    async openSession() {
      const token = await addSession(mainApi, seeded.tenant_id, colleague);
      const cookie = `sluice_session=${token}`;
      for (const { url, probe } of replicas)
        await eventually(async () => {
          const { status } = await fetch(url + probe, { headers: { cookie } });
          if (status !== 200) throw new Error(`the session is not open yet: ${status}`);
        });
      return token;
    },
    async remove() {
      await mainApi.end();
      for (const replica of replicas) {
        replica.process.kill('SIGCONT');
        replica.process.kill('SIGKILL');
        replica.nats.close();
      }
      await nats.stop().catch(() => undefined);
      await postgres.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}

async function makeDatabase(server: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/** Somebody who signs in is made by an identity provider; here there is none. */
async function addColleague(mainApi: pg.Pool, tenantId: number): Promise<number> {
  const { rows } = await mainApi.query<{ user_id: string }>(
    `WITH person AS (INSERT INTO users (name, email) VALUES ('Colleague', 'colleague@example.com') RETURNING id),
       member AS (INSERT INTO memberships (tenant_id, user_id) SELECT $1, id FROM person RETURNING id, user_id),
       role AS (
         INSERT INTO member_roles (membership_id, role_id)
         SELECT member.id, roles.id FROM member, roles
         WHERE roles.tenant_id = $1 AND roles.kind = 'system' AND roles.name = 'admin')
     SELECT user_id FROM member`,
    [tenantId],
  );
  return Number(rows[0]?.user_id);
}

/** A session, and what it may do, as signing in stores both; main-api publishes it. */
async function addSession(mainApi: pg.Pool, tenantId: number, userId: number): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const hash = tokenHash(token);
  const user = { id: idOf<UserId>(userId), name: 'Colleague' };
  const own = aGrant({ tenant_id: noTenant, user, api_key: null, permissions: noPermissions });
  await mainApi.query(
    `WITH session AS (
       INSERT INTO sessions (user_id, source, token_sha256, created_at, last_used_at, idle_expires_at, expires_at)
       VALUES ($1, 'test', $2, now(), now(), now() + interval '1 hour', now() + interval '1 hour'))
     INSERT INTO grants (key, content, expires_at)
     SELECT key, content, now() + interval '1 hour'
     FROM jsonb_to_recordset($3) AS given (key text, content jsonb)`,
    [
      userId,
      hash,
      JSON.stringify([
        { key: sessionGrantKey(noTenant, hash), content: own },
        {
          key: sessionGrantKey(idOf<TenantId>(tenantId), hash),
          content: aGrant({ tenant_id: idOf<TenantId>(tenantId), user, api_key: null }),
        },
      ]),
    ],
  );
  await mainApi.query("SELECT pg_notify('grants', '')");
  return token;
}

async function startReplica(
  layer: Replica['layer'],
  probe: string,
  environment: Record<string, string>,
  { patience = 30_000, logs }: { patience?: number | undefined; logs?: string | undefined },
): Promise<Replica> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const nats = await faultProxy(Number(new URL(environment['NATS_URL'] ?? '').port));
  const log = logs && join(logs, `${layer}-${port}.log`);
  const output = log === undefined ? 'inherit' : openSync(log, 'a');
  const child = spawn(process.execPath, [join(repository, 'services', layer, 'src/main.ts')], {
    env: { ...environment, PORT: String(port), PUBLIC_URL: url, NATS_URL: `nats://127.0.0.1:${nats.port}` },
    stdio: ['ignore', output, output],
  });
  if (typeof output === 'number') closeSync(output);
  let ended = false;
  void once(child, 'exit').then(() => (ended = true));
  await eventually(
    async () => {
      if (!ended && !(await fetch(`${url}/readyz`)).ok) throw new Error(`${layer} is not ready`);
    },
    { timeoutMs: patience },
  );
  if (ended) throw new Error(`${layer} ended instead of starting`);
  return { layer, url, probe, process: child, log, nats };
}

async function seed(
  environment: Record<string, string>,
): Promise<Pick<ReplicatedStack, 'tenant_id' | 'division_id' | 'api_key'>> {
  const child = spawn(process.execPath, [join(repository, 'services/main-api/src/seed.ts')], {
    env: {
      ...environment,
      SEED_TENANT_NAME: 'Example',
      SEED_OWNER_EMAIL: 'owner@example.com',
      SEED_OWNER_NAME: 'Owner',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await once(child, 'close');
  return JSON.parse(output) as Pick<ReplicatedStack, 'tenant_id' | 'division_id' | 'api_key'>;
}
