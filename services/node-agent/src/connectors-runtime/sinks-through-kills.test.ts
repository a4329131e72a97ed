import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jetstream } from '@nats-io/jetstream';
import {
  eventually,
  startMariadb,
  startRedis,
  testFolder,
  type MariadbServer,
  type RedisServer,
} from '@sluice/testing';
import { Redis } from 'ioredis';
import { createConnection } from 'mysql2/promise';
import { RuntimeProcesses, TestNode } from '#test/connectors.ts';
import type { RuntimeState } from './protocol.ts';

const node = new TestNode();
const processes = new RuntimeProcesses();
let redis: RedisServer | null = null;
let mariadb: MariadbServer | null = null;
const closing: (() => unknown)[] = [];
beforeAll(async () => {
  [redis, mariadb] = await Promise.all([startRedis(), startMariadb(), node.start()]);
});
afterEach(() => processes.killAll());
afterAll(async () => {
  for (const close of closing) await close();
  await Promise.all([node.close(), redis?.kill(), mariadb?.kill()]);
});

/** What a sink has written: the number in each message. */
type Written = () => Promise<number[]>;
const numbersIn = (texts: readonly string[]) => texts.map((text) => (JSON.parse(text) as { n: number }).n);
const at = (port: number) => ({ host: '127.0.0.1', port, tls: 'disable' });

const written = new Map<string, Written>();
const stream = { streams: [{ stream: 'numbers', batch_length: 20 }] };
const sink = (connector_key: string, plugin_config: Record<string, unknown>) =>
  node.instance({ ...stream, plugin_config }, { connector_key });

function fileInstance(folder: string) {
  const instance = sink('file', { content: 'payload', max_file: '64KiB' });
  const files = join(folder, 'instances', String(instance.id), 'files');
  written.set('file', async () => {
    const names = (await readdir(files)).sort();
    const texts = await Promise.all(names.map((name) => readFile(join(files, name), 'utf8')));
    return numbersIn(texts.flatMap((text) => text.split('\n').slice(0, -1)));
  });
  return instance;
}

function redisInstance({ port, user }: RedisServer) {
  const client = new Redis({ port });
  closing.push(() => client.disconnect());
  written.set('redis', async () => {
    const entries = await client.xrange('numbers', '-', '+');
    return numbersIn(entries.map(([, fields]) => fields.at(-1) ?? ''));
  });
  return sink('redis', { ...at(port), ...user, key: '{stream}' });
}

async function mysqlInstance({ port, user, database }: MariadbServer) {
  const login = { user: user.username, password: user.password, database };
  const connection = await createConnection({ host: '127.0.0.1', port, ...login });
  closing.push(() => connection.end());
  written.set('mysql', async () => {
    const [rows] = await connection.query('SELECT payload FROM numbers ORDER BY published_at');
    return (rows as { payload: { n: number } }[]).map(({ payload }) => payload.n);
  });
  return sink('mysql', { ...at(port), ...user, database, table: 'numbers', create_table: true });
}

test('each sink has all messages, though its runtime is killed', async () => {
  // the wait for messages that come again is long for files alone: their own test kills as well
  if (!redis && !mariadb) return;
  const folder = await testFolder();
  const instances = [fileInstance(folder)];
  if (redis) instances.push(redisInstance(redis));
  if (mariadb) instances.push(await mysqlInstance(mariadb));
  await node.addStream('numbers');
  const total = 1_000;
  const client = jetstream(node.client);
  const publish = async (from: number, to: number) => {
    for (let n = from; n < to; n++)
      await client.publish('numbers.new', JSON.stringify({ n, filler: 'x'.repeat(100) }));
  };
  const state: RuntimeState = {
    ...{ broker: node.access, instances },
    destinations: { allowed: ['127.0.0.1'], refused: [] },
  };
  const count = async () =>
    Math.min(
      ...(await Promise.all(
        [...written.values()].map(async (all) => new Set(await all().catch(() => [])).size),
      )),
    );
  const until = async (least: number) => {
    await eventually(async () => expect(await count()).toBeGreaterThanOrEqual(least), { timeoutMs: 40_000 });
  };
  const first = await processes.start(folder, state);
  const publishing = publish(0, total);
  await until(50);
  await first.kill();
  await publishing;
  await processes.start(folder, state);
  await until(total);
  for (const [name, all] of written) {
    const numbers = await all();
    expect([name, [...new Set(numbers)].sort((one, other) => one - other)]).toEqual([
      name,
      Array.from({ length: total }, (_, n) => n),
    ]);
    // what was under way comes again, and no more
    expect(numbers.length).toBeLessThanOrEqual(name === 'mysql' ? total : total + 50);
  }
});

test('an instance that is gone leaves no files, and the others keep theirs', async () => {
  const folder = await testFolder();
  const [gone, kept] = [fileInstance(folder), fileInstance(folder)];
  const instances = join(folder, 'instances');
  const inFiles = written.get('file');
  await node.addStream('numbers').catch(() => undefined);
  await jetstream(node.client).publish('numbers.new', '{"n":1}');
  const runtime = await node.runtime([], instances);
  const apply = (...instances: RuntimeState['instances']) =>
    runtime.apply({ broker: node.access, instances });
  const folders = async () => (await readdir(instances)).sort();
  apply(gone, kept);
  await eventually(async () =>
    expect(await folders()).toEqual([gone, kept].map(({ id }) => String(id)).sort()),
  );
  await eventually(async () => expect((await inFiles?.())?.at(-1)).toBe(1));
  apply(kept);
  await eventually(async () => expect(await folders()).toEqual([String(kept.id)]));
});
