import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import type { ConfigValue } from '@sluice/contracts';
import { startRedis, type RedisServer } from '@sluice/testing';
import { Redis } from 'ioredis';
import { aMessage, configOf, testContext, unending } from '../../test/fixtures/plugin.ts';
import { connectorDestinations as destinations } from '../destination-guard.ts';
import { ConfigRefused, type OutgoingMessage, type Sink } from '../plugin.ts';
import { redisSink } from './redis-sink.ts';

let server: RedisServer | null = null;
let client: Redis;
const closing: (() => unknown)[] = [];
let keys = 0;

beforeAll(async () => {
  server = await startRedis();
  if (server) client = new Redis({ port: server.port, lazyConnect: true }).on('error', () => {});
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(async () => {
  client?.disconnect();
  await server?.kill();
});

/** A test that needs Redis: without it, it is left out. */
const withRedis = (name: string, work: (on: RedisServer, key: string) => Promise<void>) =>
  test(name, async () => {
    if (server) await work(server, `key-${++keys}`);
  });

async function aSink(values: Record<string, ConfigValue>): Promise<Sink> {
  const port = server?.port ?? 1;
  const config = configOf(redisSink, { host: '127.0.0.1', port, tls: 'disable', key: 'x', ...values });
  const sink = await redisSink.open(config, await testContext());
  closing.push(() => sink.close());
  return sink;
}

const messages = (count: number) => Array.from({ length: count }, (_, n) => aMessage({ n }));
/** The payloads in an answer of XRANGE, in order. */
const payloadsOf = (entries: [string, string[]][]) => entries.map(([, fields]) => fields.at(-1));

withRedis(
  'entries of a stream have all that is known of a message, in order; one that comes again has its id',
  async (_, key) => {
    const sink = await aSink({ key });
    const first = aMessage({ n: 1.0 }, { id: 'a', headers: { Kind: 'new' } });
    expect(await sink.write([first, ...messages(700)], unending())).toEqual([]);
    await sink.write([first], unending());
    const entries = await client.xrange(key, '-', '+');
    expect(entries).toHaveLength(702);
    expect(entries[0]?.[1]).toEqual([
      ...['id', 'a', 'stream', 'orders', 'topic', 'orders.new', 'published_at', '2026-03-01T12:00:00.000Z'],
      ...['headers', '{"Kind":"new"}', 'payload', '{"n":1}'],
    ]);
    expect(payloadsOf(entries).slice(1, 701)).toEqual(
      Array.from({ length: 700 }, (_value, n) => `{"n":${n}}`),
    );
    expect(entries[701]?.[1].slice(0, 2)).toEqual(['id', 'a']);
  },
);

withRedis('streams and lists are kept as long as configured', async (_, key) => {
  const batch = messages(1_000);
  await (await aSink({ key: `${key}-stream`, max_length: 100 })).write(batch, unending());
  const about = await client.xlen(`${key}-stream`);
  expect(about).toBeGreaterThanOrEqual(100);
  expect(about).toBeLessThan(400);
  const list = { mode: 'list', content: 'payload', max_length: 3 };
  await (await aSink({ ...list, key: `${key}-right` })).write(batch.slice(0, 10), unending());
  expect(await client.lrange(`${key}-right`, 0, -1)).toEqual(['{"n":7}', '{"n":8}', '{"n":9}']);
  await (await aSink({ ...list, key: `${key}-left`, end: 'left' })).write(batch.slice(0, 10), unending());
  expect(await client.lrange(`${key}-left`, 0, -1)).toEqual(['{"n":9}', '{"n":8}', '{"n":7}']);
});

withRedis('a channel gets each message, as bytes', async ({ port }, key) => {
  const reader = new Redis({ port });
  closing.push(() => reader.disconnect());
  const heard: Buffer[] = [];
  const isThere = Promise.withResolvers<void>();
  reader.on('messageBuffer', (_channel: Buffer, message: Buffer) => {
    if (heard.push(message) === 2) isThere.resolve();
  });
  await reader.subscribe(`${key}-orders`);
  const sink = await aSink({ mode: 'channel', key: `${key}-{stream}`, content: 'payload' });
  const bytes = Buffer.from([0, 0xff]);
  await sink.write([aMessage(bytes), aMessage('text')], unending());
  await isThere.promise;
  expect(heard).toEqual([bytes, Buffer.from('"text"')]);
});

withRedis('a value is under the key that its payload names, until its time is over', async (_, key) => {
  const sink = await aSink({
    mode: 'key',
    key: `${key}:{topic}:{payload.customer.no}`,
    ttl: '1h',
    content: 'payload',
  });
  const of = (no: unknown, n: number, id: string) => aMessage({ n, customer: { no } }, { id });
  const rejected = await sink.write(
    [
      of(1, 1, 'a'),
      of('{topic}', 2, 'b'),
      of(1, 3, 'c'),
      of(undefined, 4, 'd'),
      of('x'.repeat(2_000), 5, 'e'),
    ],
    unending(),
  );
  expect(rejected).toEqual([
    { id: 'd', reason: 'The payload has no value for the key' },
    { id: 'e', reason: 'The key has more than 1024 bytes' },
  ]);
  expect(await client.get(`${key}:orders.new:1`)).toBe('{"n":3,"customer":{"no":1}}');
  // what a payload says is no template
  expect(await client.get(`${key}:orders.new:{topic}`)).toContain('"n":2');
  const left = await client.pttl(`${key}:orders.new:1`);
  expect(left).toBeGreaterThan(3_000_000);
  expect(left).toBeLessThanOrEqual(3_600_000);
});

withRedis(
  'a batch that the server refuses is refused as a whole, and taken once it may be',
  async (_, key) => {
    const sink = await aSink({ key });
    const batch = messages(3);
    await client.config('SET', 'maxmemory', '1');
    closing.push(() => client.config('SET', 'maxmemory', '0'));
    await expect(sink.write(batch, unending())).rejects.toThrow(/OOM/);
    await client.config('SET', 'maxmemory', '0');
    expect(await client.exists(key)).toBe(0);
    expect(await sink.write(batch, unending())).toEqual([]);
    expect(await client.xlen(key)).toBe(3);
  },
);

withRedis(
  'a key of another type is an error that people see, and no reason to drop a message',
  async (_, key) => {
    const sink = await aSink({ key });
    const batch = messages(2);
    await client.set(key, 'a text');
    await expect(sink.write(batch, unending())).rejects.toThrow(/WRONGTYPE/);
    await client.del(key);
    expect(await sink.write(batch, unending())).toEqual([]);
    expect(await client.xlen(key)).toBe(2);
  },
);

withRedis(
  'a server that is killed is tried again, with nothing lost that it had acknowledged',
  async (on, key) => {
    const sink = await aSink({ key });
    const [before, after] = [messages(50), messages(50)];
    await sink.write(before, unending());
    await on.kill();
    await expect(sink.write(after, unending())).rejects.toThrow(/ECONNREFUSED|closed|ended/i);
    await on.start();
    expect(await sink.write(after, unending())).toEqual([]);
    expect(await client.xlen(key)).toBe(100);
  },
);

withRedis('a login, a database and TLS; none of its secrets is in an error', async (on, key) => {
  const secure = { host: 'localhost', port: on.tlsPort, tls: 'verify', tls_ca: on.ca };
  const sink = await aSink({ ...secure, ...on.user, database: 3, key });
  expect(await sink.write(messages(1), unending())).toEqual([]);
  const third = new Redis({ port: on.port, db: 3 });
  closing.push(() => third.disconnect());
  expect(await third.xlen(key)).toBe(1);
  const unknown = await aSink({ ...secure, tls_ca: '', key });
  await expect(unknown.write(messages(1), unending())).rejects.toThrow(/certificate/);
  const wrong = (await aSink({ username: on.user.username, password: 'wr0ng-s3cret' })).write(
    messages(1),
    unending(),
  );
  const error: unknown = await wrong.catch((caught: unknown) => caught);
  expect(String(error)).toContain('WRONGPASS');
  expect(JSON.stringify([error, (error as Error).cause ?? null, String(error)])).not.toContain('wr0ng');
});

/** A server of the test's own, which is no Redis. */
async function listening(onConnection: (socket: Socket) => void): Promise<number> {
  const other = createServer((socket) => onConnection(socket.on('error', () => {})));
  await once(other.listen(0, '127.0.0.1'), 'listening');
  closing.push(() => other.close());
  return (other.address() as AddressInfo).port;
}
const written = (sink: Sink, signal: AbortSignal, batch: OutgoingMessage[] = [aMessage()]) =>
  sink.write(batch, signal);

test('a server that hangs is left when time is up', async () => {
  const heard = Promise.withResolvers<Socket>();
  const port = await listening((socket) => void socket.once('data', () => heard.resolve(socket)));
  const ending = new AbortController();
  const write = written(await aSink({ port }), ending.signal);
  const socket = await heard.promise;
  ending.abort(new Error('time is up'));
  await expect(write).rejects.toThrow('time is up');
  await once(socket, 'close');
});

test('an answer without end ends the connection', async () => {
  const port = await listening((socket) => {
    socket.on('data', () => socket.write(`$100000000\r\n${'x'.repeat(2_000_000)}`));
  });
  await expect(written(await aSink({ port }), unending())).rejects.toThrow('too large');
});

test('addresses that connectors may not reach are refused, also behind a name', async () => {
  const guarded = await testContext({ destinations: destinations({ allowed: [], refused: [] }) });
  const config = (host: string) => configOf(redisSink, { host, key: 'x', tls: 'disable' });
  await expect(redisSink.open(config('127.0.0.1'), guarded)).rejects.toThrow(ConfigRefused);
  const named = await redisSink.open(config('localhost'), guarded);
  closing.push(() => named.close());
  await expect(written(named, unending())).rejects.toThrow(/may not/);
  await expect(aSink({ username: 'ada' })).rejects.toThrow(ConfigRefused);
});

test.each(['', '{unknown}', 'a{', '{payload}', '{payload.}'])('%j is no key', (key) => {
  expect(() => configOf(redisSink, { host: 'x', key })).toThrow(/key/);
});
