import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { topology } from '@sluice/contracts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { eventually, ownPostgres, testNats, type OwnServer } from '@sluice/testing';
import pg from 'pg';
import { Registry } from '@prometheus-io/client';
import winston from 'winston';
import { DatabaseRecord } from '@sluice/messaging';
import { NotReady, DatabaseIdentity, Notifications, createPool, sqlOf } from '@sluice/service';

const log = winston.createLogger({ silent: true });
const stride = 100_000;
let server: OwnServer;
let nats: NatsConnection;
const ofNats = testNats();
const names = topology(ofNats.namespace);
const entry = `$KV.${names.buckets.databases}.audit`;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  nats = await connect({ servers: ofNats.url });
});
afterAll(() => nats.close());
beforeEach(async () => {
  server = await ownPostgres();
}, 30_000);
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
  await server.remove();
  await ofNats.deleteNamespace();
});

const tables = `CREATE TABLE IF NOT EXISTS database_identity (
    id boolean PRIMARY KEY DEFAULT true, identity text NOT NULL, restored_at timestamptz, revision bigint NOT NULL DEFAULT 0);
  CREATE TABLE IF NOT EXISTS widgets (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, name text);`;

/** A replica with its pool, its notifications and its record in NATS, as `startRuntime` makes them. */
async function replica(url = server.url) {
  const metrics = new Registry();
  let restores = 0;
  const hook = { fails: false };
  const identity = new DatabaseIdentity({
    url,
    migrate: async (pool) => void (await pool.query(tables)),
    restored: async () => {
      if (hook.fails) throw new Error('the hook fails');
      restores += 1;
    },
    metrics,
    log,
  });
  const verify = (client: pg.ClientBase) => identity.verify(client);
  const pool = createPool(url, 2, log, { verify });
  const notifications = new Notifications(url, log, verify);
  const record = new DatabaseRecord({
    ...{ nats, topology: names, sender: 'audit', bucketReplicas: 1, log },
    raise: () => identity.raiseRevision(sqlOf(pool)),
  });
  let stopping: Promise<void> | undefined;
  const stop = () =>
    (stopping ??= record.stop().then(async () => {
      await notifications.close();
      await pool.end();
    }));
  closing.push(stop);
  await identity.start(await record.read());
  await notifications.open();
  record.start();
  const add = async () => {
    const { rows } = await pool.query<{ id: number }>(
      "INSERT INTO widgets (name) VALUES ('one') RETURNING id",
    );
    return rows[0]?.id ?? 0;
  };
  const restoredAt = async () =>
    Number(/^sluice_database_restored_timestamp_seconds (.*)$/m.exec(await metrics.metrics())?.[1]);
  return { identity, pool, notifications, hook, add, stop, restores: () => restores, restoredAt };
}

const restoresOf = (replicas: Awaited<ReturnType<typeof replica>>[]) =>
  replicas.map(({ restores }) => restores()).sort();

const untilAdded = (add: () => Promise<number>) => eventually(add, { timeoutMs: 15_000 });

test('a start on the same database, a crash and a restart are no restore', async () => {
  const one = await replica();
  expect(await one.add()).toBe(1);
  await server.kill();
  await server.start();
  expect(await untilAdded(one.add)).toBeLessThan(stride);
  const two = await replica();
  expect([one.restores(), two.restores(), await two.restoredAt()]).toEqual([0, 0, 0]);
});

test('files that were put back below a service that runs are noticed before the first statement', async () => {
  const one = await replica();
  const putBack = await server.backUp();
  let last = 0;
  for (let each = 0; each < 40; each++) last = await untilAdded(one.add);
  await eventually(() => one.notifications.check());
  await putBack();
  expect(await untilAdded(one.add)).toBeGreaterThan(Math.max(last, stride));
  expect(one.restores()).toBe(1);
  expect(await one.restoredAt()).toBeGreaterThan(Date.now() / 1000 - 60);
});

test('files that were put back while all replicas were ended are noticed at the next start, and recovered from once', async () => {
  const ended = [await replica(), await replica()];
  await ended[0]?.add();
  const putBack = await server.backUp();
  const last = await untilAdded(async () => (await ended[1]?.add()) ?? 0);
  await Promise.all(ended.map(({ stop }) => stop()));

  await putBack();
  // other databases of the cluster make the write-ahead log longer than it was
  const other = createPool(server.url, 1, log);
  await other.query(`SELECT pg_logical_emit_message(false, 'other', repeat('x', 30000000))`);
  await other.end();
  const started = await Promise.all([replica(), replica()]);
  const ids = await Promise.all(started.map(({ add }) => add()));
  for (const id of ids) expect(id).toBeGreaterThan(Math.max(last, stride));
  expect(restoresOf(started)).toEqual([0, 1]);
  await Promise.all(started.map(({ stop }) => stop()));
  expect((await replica()).restores()).toBe(0);
});

test('a NATS that was set back, or has lost what it had, is no restore of the database', async () => {
  const one = await replica();
  const before = await eventually(recorded);
  await one.stop();
  expect(await recorded()).toBeGreaterThan(before);
  await jetstream(nats).publish(entry, JSON.stringify({ revision: before }));
  const two = await replica();
  await two.stop();
  expect(await recorded()).toBeGreaterThan(before);
  await ofNats.deleteNamespace();
  const three = await replica();
  await eventually(recorded);
  expect([...restoresOf([one, two, three]), await three.add()]).toEqual([0, 0, 0, 1]);
});

/** What NATS has of the database. */
async function recorded(): Promise<number> {
  const { direct } = await jetstreamManager(nats);
  const found = await direct.getMessage(`KV_${names.buckets.databases}`, { last_by_subj: entry });
  if (!found) throw new Error('NATS has no entry');
  return found.json<{ revision: number }>().revision;
}

test('a server that was rolled back to a point in time, or promoted, is noticed by each replica, and recovered from once', async () => {
  const replicas = [await replica(), await replica()];
  await replicas[0]?.add();
  await server.stop();
  await appendFile(join(server.folder, 'data', 'postgresql.auto.conf'), "restore_command = '/bin/false'\n");
  await writeFile(join(server.folder, 'data', 'recovery.signal'), '');
  await server.start();
  const ids = await Promise.all(replicas.map(({ add }) => untilAdded(add)));
  for (const id of ids) expect(id).toBeGreaterThan(stride);
  expect(restoresOf(replicas)).toEqual([0, 1]);
  for (const { restoredAt } of replicas) expect(await restoredAt()).toBeGreaterThan(0);
});

test('another database of the same name is noticed without a restart', async () => {
  const url = new URL(server.url);
  url.pathname = '/app';
  const owner = new pg.Client({ connectionString: server.url });
  owner.on('error', () => {});
  await owner.connect();
  await owner.query('CREATE DATABASE app');
  const one = await replica(url.href);
  await one.add();
  // a template has no connections, and the service would connect again
  await owner.query('ALTER DATABASE app ALLOW_CONNECTIONS false');
  await owner.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = 'app' AND pid <> pg_backend_pid()",
  );
  await eventually(() => owner.query('CREATE DATABASE copy TEMPLATE app'), { timeoutMs: 15_000 });
  await owner.query('ALTER DATABASE app ALLOW_CONNECTIONS true');
  expect(await untilAdded(one.add)).toBe(2);
  await owner.query('DROP DATABASE app WITH (FORCE)');
  await owner.query('ALTER DATABASE copy RENAME TO app');
  await owner.end();
  expect(await untilAdded(one.add)).toBeGreaterThan(stride);
  expect(one.restores()).toBe(1);
});

test('where the recovery fails no statement runs, the service is not ready and says why, and it is tried again', async () => {
  const one = await replica();
  await one.add();
  one.hook.fails = true;
  await one.pool.query("UPDATE database_identity SET identity = 'another'");
  await one.pool.query(
    'SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid() AND datname = current_database()',
  );
  const { identity } = one;
  const second = await comparedAnew(identity);
  await expect(second.query('SELECT 1')).rejects.toThrow('the hook fails');
  expect(() => identity.check()).toThrow(NotReady);
  one.hook.fails = false;
  await second.query('SELECT 1');
  identity.check();
  expect(one.restores()).toBe(1);
});

/** A pool whose connections are compared anew, whatever was seen before. */
async function comparedAnew(identity: DatabaseIdentity): Promise<pg.Pool> {
  const pool = createPool(server.url, 1, log, { verify: () => identity.start() });
  closing.push(() => pool.end());
  return pool;
}

test('a restore that was found elsewhere is recovered from once within the hour', async () => {
  const one = await replica();
  await Promise.all([one.identity.noticeRestore(), one.identity.noticeRestore()]);
  await one.identity.noticeRestore();
  expect(one.restores()).toBe(1);
  expect(await one.add()).toBeGreaterThan(stride);
});
