import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from '@nats-io/transport-node';
import { jetstream } from '@nats-io/jetstream';
import { idOf, topology, type TenantId } from '@sluice/contracts';
import { freePort, startNats, startPostgres } from '@sluice/embedded';
import { secretBox, secretKeysSchema } from '@sluice/system/secrets';
import {
  eventually,
  httpsReceiver,
  makeStreams,
  say,
  testKeys,
  testNameServer,
  type NameAnswer,
} from '@sluice/testing';
import pg from 'pg';
import { profiled } from '../profiled.ts';

const program = join(import.meta.dirname, '../../../services/notifier/src/main.ts');

/** what name servers do to the names of tenants, in turn */
const failures: NameAnswer[] = [
  'hang',
  { addresses: ['8.8.8.8'], afterMilliseconds: 10_000 },
  'wrong id',
  'garbage',
  { addresses: ['10.0.0.1'], truncated: true },
];

/** A notifier on a PostgreSQL and a NATS of its own, and an HTTPS server for its channels to lead to. */
export async function startInstallation() {
  const folder = await mkdtemp(join(tmpdir(), 'sluice-bench-'));
  const postgres = await startPostgres({ folder: join(folder, 'postgres'), durable: false });
  const server = await startNats({ folder: join(folder, 'nats') });
  const nats = await connect({ servers: server.url });
  const names = topology('sluice');
  await makeStreams(nats, names);
  const receiver = await httpsReceiver();
  const nameServer = await testNameServer(
    ({ name }) => failures[Number(/\d+/.exec(name)?.[0]) % failures.length] ?? 'hang',
  );
  const authority = join(folder, 'authority.pem');
  await writeFile(authority, receiver.authority);
  const keys = `bench:${randomBytes(32).toString('base64')}`;
  const box = secretBox(secretKeysSchema.parse(keys));
  const notifier = await startNotifier(
    {
      PATH: process.env['PATH'] ?? '',
      ...{ DATABASE_URL: postgres.url, NATS_URL: server.url, LOG_LEVEL: 'warn' },
      TRUSTED_KEYS: testKeys.trusted,
      ...{ SECRETS_KEYS: keys, MAIL_KEYS: keys, MAIL_FROM: 'bench@example.com' },
      MAIN_API_URL: 'http://127.0.0.1:1',
      ...{ MAIL_TRANSPORT: 'file', MAIL_DIR: join(folder, 'mails') },
      ...{ NOTIFICATIONS_ALLOWED: '127.0.0.0/8', NOTIFICATIONS_CA_FILE: authority },
      ...{ NOTIFICATION_THROTTLE_SECONDS: '0.001', NAME_SERVERS: nameServer.address },
    },
    join(folder, 'notifier.log'),
  );
  const pool = new pg.Pool({ connectionString: postgres.url, max: 2, idleTimeoutMillis: 0 });
  return {
    pool,
    postgres: postgres.pid,
    receiver,
    authority,
    notifier,
    log: join(folder, 'notifier.log'),
    nameServer,
    /** What is stored of a webhook that leads there, or elsewhere. */
    seal: (path: string, origin = receiver.url) =>
      box.seal(
        JSON.stringify({
          destination: `${origin}${path}`,
          settings: {},
          signing_secret: `whsec_${keys.slice(6)}`,
        }),
      ),
    /** Publishes an event about a division. */
    event: async (tenant: number, division: number, type: string, name: string) => {
      const head = { id: randomUUID(), type, occurred_at: new Date().toISOString(), tenant_id: tenant };
      const others = { environment: null, deployment: null, author: null, user: null, api_key: null };
      await say({ nats }, 'main-api', names.subjects.event('main-api', idOf<TenantId>(tenant), type), {
        ...{ ...head, ...others, division: { id: division, name }, data: { name }, correlation_id: null },
      });
    },
    /** How many events wait to be matched. */
    async waiting(): Promise<number> {
      const consumer = await jetstream(nats).consumers.get(names.streams.events.name, 'notifier-events');
      const { num_pending, num_ack_pending } = await consumer.info();
      return num_pending + num_ack_pending;
    },
    async remove(): Promise<void> {
      await notifier.stop();
      await pool.end();
      await nats.close();
      await receiver.stop();
      await nameServer.stop();
      await server.stop();
      await postgres.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
    },
  };
}
export type Installation = Awaited<ReturnType<typeof startInstallation>>;

async function startNotifier(environment: NodeJS.ProcessEnv, log: string) {
  const port = await freePort();
  const output = openSync(log, 'a');
  const env = { ...environment, PORT: String(port) };
  const child = spawn(process.execPath, [...profiled('NOTIFIER_PROFILES'), program], {
    env,
    stdio: ['ignore', output, output],
  });
  const ended = once(child, 'exit');
  await eventually(
    async () => {
      if (!(await fetch(`http://127.0.0.1:${port}/readyz`)).ok) throw new Error(`it is not ready: ${log}`);
    },
    { timeoutMs: 120_000 },
  );
  return {
    pid: child.pid ?? 0,
    /** Has it stand still, so that what is to be done waits. */
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    stop: async () => {
      child.kill();
      await ended;
    },
  };
}

/**
 * Makes `channels` channels of `tenants` tenants that get nothing but what their `subscriptions` subscriptions name: a
 * division of their own each.
 */
export async function fill(
  { pool, seal }: Installation,
  { tenants, channels, subscriptions }: { tenants: number; channels: number; subscriptions: number },
): Promise<void> {
  const each = Math.round(subscriptions / channels);
  await pool.query(
    `INSERT INTO channels (id, version, tenant_id, channel, name, enabled, sealed, created_at)
     SELECT n + 1, 1, 1 + n % $1, 'webhook', 'channel ' || n, true, $3, now() FROM generate_series(0, $2 - 1) AS n`,
    [tenants, channels, await seal('/filled')],
  );
  await pool.query(
    `WITH made AS (
       INSERT INTO subscriptions (id, channel_id, message_types, tenant_ids, division_ids, environment_ids, deployment_ids)
       SELECT id * 1000 + n, id, '{division_updated,division_created}', '{}', ARRAY[id * 10 + n], '{}', '{}'
       FROM channels, generate_series(1, $1) AS n RETURNING id, channel_id, division_ids)
     INSERT INTO routes (tenant_id, place, channel_id, subscription_id)
     SELECT c.tenant_id, 'division ' || made.division_ids[1], c.id, made.id FROM made JOIN channels c ON c.id = made.channel_id`,
    [each],
  );
  await pool.query('ANALYZE');
}
