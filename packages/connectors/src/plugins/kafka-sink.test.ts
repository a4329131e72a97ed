import type { ConfigValue } from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import { kafkaTest, TestKafka } from '../../test/fixtures/kafka.ts';
import { aMessage, configOf, testContext, unending } from '../../test/fixtures/plugin.ts';
import { connectorDestinations as destinations } from '../destination-guard.ts';
import { ConfigRefused, type PluginContext, type Sink } from '../plugin.ts';
import { kafkaSink } from './kafka-sink.ts';

let started: TestKafka | null = null;
const open: Sink[] = [];
beforeAll(async () => {
  started = await TestKafka.start();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((sink) => sink.close()));
});
afterAll(() => started?.remove());

const withKafka = (name: string, work: (kafka: TestKafka) => Promise<void>) =>
  kafkaTest(name, () => started, work);

async function aSink(values: Record<string, ConfigValue>, more: Partial<PluginContext> = {}): Promise<Sink> {
  const sink = await kafkaSink.open(configOf(kafkaSink, values), await testContext(more));
  open.push(sink);
  return sink;
}

/** A sink that reaches its partitions through the proxy of `losing`. */
async function throughProxy(kafka: TestKafka, topic: string): Promise<Sink> {
  const here = destinations({ allowed: ['127.0.0.1', '127.9.9.9'], refused: [] });
  const lookup: typeof here.lookup = (host, options, callback) =>
    here.lookup(host === '127.9.9.9' ? '127.0.0.1' : host, options, callback);
  const values = { ...kafka.values, brokers: [kafka.server.strayAddress], topic };
  return await aSink(values, { destinations: { ...here, lookup } });
}

const messages = (count: number) => Array.from({ length: count }, (_, n) => aMessage({ n }));
const numbers = (count: number) => Array.from({ length: count }, (_, n) => `{"n":${n}}`);

withKafka('messages are written in order with their key, headers and id', async (kafka) => {
  const topic = await kafka.topic();
  const sink = await aSink({ ...kafka.values, topic, key_header: 'Customer' });
  const batch = [
    aMessage({ n: 0 }, { id: 'a', headers: { customer: 'ada', 'svc-message': 'forged' } }),
    aMessage(Buffer.from([0x41]), { id: 'b' }),
  ];
  expect(await sink.write(batch, unending())).toEqual([]);
  const known = {
    ...{ 'svc-stream': 'orders', 'svc-topic': 'orders.new' },
    'svc-published-at': '2026-03-01T12:00:00.000Z',
  };
  expect(await kafka.records(topic, 2)).toEqual([
    {
      ...{ key: 'ada', value: '{"n":0}', partition: 0 },
      headers: { customer: 'ada', 'svc-message': 'a', ...known },
    },
    {
      ...{ key: 'b', value: 'A', partition: 0 },
      headers: { 'svc-message': 'b', ...known },
    },
  ]);
});

withKafka('the same key always goes to the same partition, and others go to others', async (kafka) => {
  const topic = await kafka.topic(5);
  const sink = await aSink({ ...kafka.values, topic, key_header: 'key' });
  const batch = Array.from({ length: 40 }, (_, n) => aMessage({ n }, { headers: { key: `k${n % 8}` } }));
  expect(await sink.write(batch, unending())).toEqual([]);
  const read = await kafka.records(topic, 40);
  const partitionsOf = Map.groupBy(read, ({ key }) => key);
  for (const own of partitionsOf.values())
    expect(new Set(own.map(({ partition }) => partition)).size).toBe(1);
  expect(new Set(read.map(({ partition }) => partition)).size).toBeGreaterThan(1);
});

withKafka('what is too large or has no topic is rejected, and nothing else', async (kafka) => {
  const topic = await kafka.topic(1, { 'max.message.bytes': '2000' });
  const sink = await aSink({ ...kafka.values, topic });
  const batch = messages(20);
  batch[7] = aMessage('x'.repeat(3_000), { id: 'large' });
  const [rejected, ...others] = await sink.write(batch, unending());
  expect(rejected).toEqual({ id: 'large', reason: expect.stringContaining('MESSAGE_TOO_LARGE') as string });
  expect(others).toEqual([]);
  expect((await kafka.records(topic, 19)).map(({ value }) => value)).toEqual(
    numbers(20).filter((_, n) => n !== 7),
  );
  const named = await aSink({ ...kafka.values, topic: '{topic}' });
  expect(await named.write([aMessage(1, { id: 'dots', topic: '..' })], unending())).toEqual([
    { id: 'dots', reason: 'Its topic has a name that Kafka does not permit' },
  ]);
});

withKafka('a topic that is not there holds up its own messages alone, until it is made', async (kafka) => {
  const topic = await kafka.topic();
  const sink = await aSink({ ...kafka.values, topic: '{topic}' });
  const batch = [aMessage(1, { topic: `${topic}-later` }), aMessage({ n: 0 }, { topic })];
  await expect(sink.write(batch, unending())).rejects.toThrow('UNKNOWN_TOPIC_OR_PARTITION');
  await expect(sink.write(batch, unending())).rejects.toThrow('UNKNOWN_TOPIC_OR_PARTITION');
  await kafka.admin.createTopics({ topics: [`${topic}-later`], partitions: 1, replicas: 1 });
  await eventually(async () => expect(await sink.write(batch, unending())).toEqual([]));
  expect(await kafka.count(topic)).toBe(1);
  expect(await kafka.count(`${topic}-later`)).toBe(1);
});

withKafka('two streams write at the same time, each with its own outcome', async (kafka) => {
  const topic = await kafka.topic();
  const sink = await aSink({ ...kafka.values, topic });
  const outcomes = await Promise.all(
    [messages(50), messages(50)].map((batch) => sink.write(batch, unending())),
  );
  expect(outcomes).toEqual([[], []]);
  expect(await kafka.count(topic)).toBe(100);
});

withKafka('what is sent again, since its answer was lost, is written once', async (kafka) => {
  const topic = await kafka.topic();
  const sink = await throughProxy(kafka, topic);
  const proxy = await kafka.losing(1);
  try {
    const [first, second] = [messages(10), messages(5)];
    await expect(sink.write(first, unending())).rejects.toThrow(/closed/);
    expect(await kafka.count(topic)).toBe(10);
    // of another stream: it goes behind what is in doubt
    expect(await sink.write(second, unending())).toEqual([]);
    expect(await sink.write(first, unending())).toEqual([]);
    expect((await kafka.records(topic, 15)).map(({ value }) => value)).toEqual([
      ...numbers(10),
      ...numbers(5),
    ]);
    expect(await kafka.count(topic)).toBe(15);
  } finally {
    proxy.close();
  }
});

withKafka('what was in doubt when the broker was killed is written once', async (kafka) => {
  const topic = await kafka.topic();
  const sink = await throughProxy(kafka, topic);
  const proxy = await kafka.losing(1);
  try {
    // long ago, as in a backlog
    const batch = Array.from({ length: 10 }, (_, n) =>
      aMessage({ n }, { published_at: new Date('2020-01-01T00:00:00Z') }),
    );
    await expect(sink.write(batch, unending())).rejects.toThrow(/closed/);
    expect(await kafka.count(topic)).toBe(10);
    await kafka.server.kill();
    await kafka.server.start();
    await kafka.ready();
    await eventually(async () => expect(await sink.write(batch, unending())).toEqual([]));
    expect(await kafka.count(topic)).toBe(10);
  } finally {
    proxy.close();
  }
});

withKafka('nothing is lost or written twice when the broker is killed in the middle', async (kafka) => {
  const topic = await kafka.topic();
  const sink = await aSink({ ...kafka.values, topic });
  let failures = 0;
  const write = async (n: number): Promise<void> => {
    const batch = Array.from({ length: 20 }, (_, at) => aMessage({ n: n * 20 + at }));
    // also until a broker has started again, on a machine with much else to do
    await eventually(
      () =>
        sink.write(batch, unending()).catch((error: unknown) => {
          failures++;
          throw error;
        }),
      { timeoutMs: 100_000 },
    );
  };
  const writing = (async () => {
    for (let n = 0; n < 100; n++) await write(n);
  })();
  await eventually(async () => expect(await kafka.count(topic)).toBeGreaterThan(100));
  await kafka.server.kill();
  await eventually(() => expect(failures).toBeGreaterThan(0));
  await kafka.server.start();
  await writing;
  await kafka.ready();
  expect(await kafka.count(topic)).toBe(2_000);
  expect((await kafka.records(topic, 2_000)).map(({ value }) => value)).toEqual(numbers(2_000));
});

withKafka('logins by each mechanism, over TLS by its own authority', async (kafka) => {
  const topic = await kafka.topic();
  const { secureAddress, user, ca } = kafka.server;
  const secure = { brokers: [secureAddress], tls_ca: ca, ...user, topic };
  for (const sasl of ['plain', 'scram-sha-256', 'scram-sha-512']) {
    const sink = await aSink({ ...secure, sasl });
    expect(await sink.write([aMessage()], unending())).toEqual([]);
    const wrong = await aSink({ ...secure, sasl, password: 'wrong-password' });
    await expect(wrong.write([aMessage()], unending())).rejects.toThrow(/SASL|uthentication/);
  }
  const unknown = await aSink({ brokers: [secureAddress], ...user, topic, sasl: 'plain' });
  await expect(unknown.write([aMessage()], unending())).rejects.toThrow(/certificate/);
  expect(await kafka.count(topic)).toBe(3);
});

withKafka(
  'addresses of the node are refused, as such, by name, and when the cluster names them',
  async (kafka) => {
    const topic = await kafka.topic();
    const guarded = { destinations: destinations({ allowed: [], refused: [] }) };
    await expect(aSink({ ...kafka.values, topic }, guarded)).rejects.toThrow(ConfigRefused);
    const port = kafka.server.address.split(':')[1];
    const byName = await aSink({ ...kafka.values, brokers: [`localhost:${port}`], topic }, guarded);
    await expect(byName.write([aMessage()], unending())).rejects.toThrow('may not connect to localhost');
  },
);

withKafka('a broker that the cluster names is refused at an address of the node', async (kafka) => {
  const only = { destinations: destinations({ allowed: ['127.0.0.1'], refused: [] }) };
  const stray = { ...kafka.values, brokers: [kafka.server.strayAddress], topic: await kafka.topic() };
  await expect((await aSink(stray, only)).write([aMessage()], unending())).rejects.toThrow(
    'may not connect to 127.9.9.9',
  );
});

withKafka('a write ends when its time is up', async (kafka) => {
  const sink = await aSink({ ...kafka.values, topic: await kafka.topic() });
  const ending = new AbortController();
  const written = sink.write([aMessage()], ending.signal);
  ending.abort(new Error('time is up'));
  await expect(written).rejects.toThrow('time is up');
  expect(await sink.write([aMessage()], unending())).toEqual([]);
});

test.each([['user:secret@kafka:9092'], ['kafka/path'], ['http://kafka:9092'], ['kafka:9092,other']])(
  'a broker is no %s',
  (broker) => {
    expect(() => configOf(kafkaSink, { brokers: [broker], topic: 'orders' })).toThrow('brokers');
  },
);
