import type { ConfigValue } from '@sluice/contracts';
import { eventually } from '@sluice/testing';
import { kafkaTest, TestKafka } from '../../test/fixtures/kafka.ts';
import { aMessage, configOf, testContext, unending, type TestContext } from '../../test/fixtures/plugin.ts';
import { connectorDestinations as destinations } from '../destination-guard.ts';
import { ConfigRefused, type Source, type SourceBatch } from '../plugin.ts';
import { kafkaSink } from './kafka-sink.ts';
import { kafkaSource } from './kafka-source.ts';

let started: TestKafka | null = null;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  started = await TestKafka.start();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});
afterAll(() => started?.remove());

const withKafka = (name: string, work: (kafka: TestKafka) => Promise<void>) =>
  kafkaTest(name, () => started, work);

async function aSource(
  values: Record<string, ConfigValue>,
  position: string | null = null,
  context?: TestContext,
): Promise<Source> {
  const config = configOf(kafkaSource, { refresh: '100ms', ...values });
  const source = await kafkaSource.open(config, context ?? (await testContext()), position);
  open.push(source);
  return source;
}

const textOf = ({ records }: SourceBatch) => records.map(({ payload }) => Buffer.from(payload).toString());

/** Reads until there are `count` records. */
async function read(source: Source, count: number): Promise<{ texts: string[]; position: string }> {
  const texts: string[] = [];
  let position = '';
  while (texts.length < count) {
    const batch = await source.read(AbortSignal.timeout(20_000));
    texts.push(...textOf(batch));
    position = batch.position;
  }
  return { texts, position };
}
const named = (count: number, prefix = 'm') => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

withKafka('records are read in order, with what is known of them', async (kafka) => {
  const topic = await kafka.topic();
  const headers = { tenant: 'a', 'Nats-Msg-Id': 'forged', 'kafka-key': 'forged', 'bad name': 'x' };
  await kafka.send(topic, ['one'], {
    key: Buffer.from('k'),
    timestamp: 1_700_000_000_000n,
    headers: new Map(Object.entries(headers).map(([name, text]) => [Buffer.from(name), Buffer.from(text)])),
  });
  const source = await aSource({ ...kafka.values, topics: [topic] });
  const first = await source.read(unending());
  const batch = first.records.length > 0 ? first : await source.read(unending());
  expect(batch.records).toEqual([
    {
      id: `${topic}/0@0-1700000000000`,
      payload: Buffer.from('one'),
      headers: {
        ...{ tenant: 'a', 'kafka-key': 'k', 'kafka-topic': topic, 'kafka-partition': '0' },
        ...{ 'kafka-offset': '0', 'kafka-timestamp': '1700000000000' },
      },
    },
  ]);
});

withKafka('another source goes on exactly behind what was delivered, also within a batch', async (kafka) => {
  const topic = await kafka.topic(3);
  for (const partition of [0, 1, 2]) await kafka.send(topic, named(40, `p${partition}-`), { partition });
  const texts: string[] = [];
  let position: string | null = null;
  while (texts.length < 120) {
    const source = await aSource({ ...kafka.values, topics: [topic], batch_records: 7 }, position);
    // fetched, but not delivered: the next one has to read it again
    const batch = await read(source, 1);
    texts.push(...batch.texts);
    ({ position } = batch);
    await source.close();
  }
  expect([...texts].sort()).toEqual([0, 1, 2].flatMap((partition) => named(40, `p${partition}-`)).sort());
  for (const partition of [0, 1, 2])
    expect(texts.filter((text) => text.startsWith(`p${partition}-`))).toEqual(named(40, `p${partition}-`));
});

withKafka(
  'from latest only what comes from now on is read, also after a restart before the first',
  async (kafka) => {
    const topic = await kafka.topic();
    await kafka.send(topic, named(5, 'old'));
    const values = { ...kafka.values, topics: [topic], from: 'latest' };
    const { records, position } = await (await aSource(values)).read(unending());
    expect(records).toEqual([]);
    await kafka.send(topic, named(3, 'new'));
    expect((await read(await aSource(values, position), 3)).texts).toEqual(named(3, 'new'));
  },
);

withKafka(
  'new partitions are read from their first record, also by one that began with the latest',
  async (kafka) => {
    const topic = await kafka.topic();
    const source = await aSource({ ...kafka.values, topics: [topic], from: 'latest' });
    expect((await source.read(unending())).records).toEqual([]);
    await kafka.admin.createPartitions({
      topics: [{ name: topic, count: 2, assignments: [{ brokerIds: [1] }] }],
    });
    await eventually(async () => {
      await kafka.producer.metadata({ topics: [topic], forceUpdate: true });
      await kafka.send(topic, ['there'], { partition: 1 });
    });
    expect((await read(source, 1)).texts).toContain('there');
  },
);

withKafka('offsets that are gone are logged, and reading goes on with the oldest record', async (kafka) => {
  const topic = await kafka.topic();
  await kafka.send(topic, named(10));
  const first = await read(await aSource({ ...kafka.values, topics: [topic], batch_records: 2 }), 2);
  await kafka.admin.deleteRecords({ topics: [{ name: topic, partitions: [{ partition: 0, offset: 6n }] }] });
  const context = await testContext();
  const source = await aSource({ ...kafka.values, topics: [topic] }, first.position, context);
  expect((await read(source, 4)).texts).toEqual(['m6', 'm7', 'm8', 'm9']);
  expect(context.told).toEqual([expect.stringContaining('offset is out of range')]);
  expect(context.told[0]).toContain('"offset":"2","oldest":"6"');
});

withKafka(
  'a topic that was deleted and made again is read from its first record, with other ids',
  async (kafka) => {
    const topic = await kafka.topic();
    await kafka.send(topic, named(4));
    const { position } = await read(await aSource({ ...kafka.values, topics: [topic] }), 4);
    await kafka.admin.deleteTopics({ topics: [topic] });
    await eventually(() => kafka.admin.createTopics({ topics: [topic], partitions: 1, replicas: 1 }));
    await eventually(async () => {
      await kafka.producer.metadata({ topics: [topic], forceUpdate: true });
      await kafka.send(topic, ['anew']);
    });
    expect((await read(await aSource({ ...kafka.values, topics: [topic] }, position), 1)).texts).toEqual([
      'anew',
    ]);
  },
);

withKafka('what the broker has compressed is read', async (kafka) => {
  for (const type of ['gzip', 'snappy', 'lz4', 'zstd']) {
    const topic = await kafka.topic(1, { 'compression.type': type });
    const values = [...named(50), 'x'.repeat(200_000)];
    await kafka.send(topic, values);
    expect((await read(await aSource({ ...kafka.values, topics: [topic] }), 51)).texts).toEqual(values);
  }
});

withKafka('what expands to too much is not read, and does not hold up other partitions', async (kafka) => {
  const topic = await kafka.topic(2);
  const bomb = { topic, partition: 0, value: Buffer.alloc(65 * 1_048_576) };
  await kafka.producer.send({ messages: [bomb], acks: -1, compression: 'zstd' });
  await kafka.send(topic, named(5), { partition: 1 });
  const source = await aSource({ ...kafka.values, topics: [topic] });
  expect((await read(source, 5)).texts).toEqual(named(5));
  await expect(source.read(AbortSignal.timeout(20_000))).rejects.toThrow(/\/0 from 0 on: .*67108864 bytes/);
});

withKafka('records of aborted transactions are left out', async (kafka) => {
  const topic = await kafka.topic();
  const producer = kafka.transactional();
  for (const [value, isCommitted] of [
    ['aborted', false],
    ['committed', true],
  ] as const) {
    const transaction = await producer.beginTransaction();
    await transaction.send({ messages: [{ topic, partition: 0, value: Buffer.from(value) }], acks: -1 });
    await (isCommitted ? transaction.commit() : transaction.abort());
  }
  await producer.close();
  const { texts, position } = await read(await aSource({ ...kafka.values, topics: [topic] }), 1);
  expect(texts).toEqual(['committed']);
  await kafka.send(topic, ['next']);
  expect((await read(await aSource({ ...kafka.values, topics: [topic] }, position), 1)).texts).toEqual([
    'next',
  ]);
});

withKafka('nothing is lost or read twice when the broker is killed in the middle', async (kafka) => {
  const topic = await kafka.topic();
  await kafka.send(topic, named(300));
  const values = { ...kafka.values, topics: [topic], batch_records: 10 };
  const texts: string[] = [];
  let position: string | null = null;
  let source = await aSource(values);
  let failures = 0;
  const readOn = async () => {
    try {
      const batch = await source.read(AbortSignal.timeout(20_000));
      texts.push(...textOf(batch));
      position = batch.position;
    } catch (error) {
      failures++;
      await source.close();
      source = await aSource(values, position);
      throw error;
    }
  };
  while (texts.length < 100) await readOn();
  await kafka.server.kill();
  while (failures === 0) await readOn().catch(() => undefined);
  await kafka.server.start();
  await kafka.ready();
  await eventually(() => kafka.send(topic, named(10, 'after')));
  while (texts.length < 310) await eventually(readOn);
  expect(texts).toEqual([...named(300), ...named(10, 'after')]);
});

withKafka('what the sink writes the source reads, over TLS with a login', async (kafka) => {
  const topic = await kafka.topic(4);
  const { secureAddress, user, ca } = kafka.server;
  const secure = { brokers: [secureAddress], tls_ca: ca, ...user, sasl: 'scram-sha-512' };
  const sink = await kafkaSink.open(configOf(kafkaSink, { ...secure, topic }), await testContext());
  open.push(sink);
  const batch = Array.from({ length: 200 }, (_, n) => aMessage({ n }));
  expect(await sink.write(batch, unending())).toEqual([]);
  const { texts } = await read(await aSource({ ...secure, topics: [topic] }), 200);
  expect([...texts].sort()).toEqual(batch.map(({ payload }) => Buffer.from(payload).toString()).sort());
});

withKafka('a read ends when it is to stop, and fails while there is no topic', async (kafka) => {
  const source = await aSource({ ...kafka.values, topics: [await kafka.topic()] });
  await source.read(unending());
  const ending = new AbortController();
  const waiting = source.read(ending.signal);
  ending.abort(new Error('stopped'));
  await expect(waiting).rejects.toThrow('stopped');
  const missing = await aSource({ ...kafka.values, topics: ['missing'] });
  await expect(missing.read(unending())).rejects.toThrow('The topic missing: UNKNOWN_TOPIC_OR_PARTITION');
});

withKafka('addresses of the node are refused, also when the cluster names them', async (kafka) => {
  const values = { ...kafka.values, topics: [await kafka.topic()] };
  const none = await testContext({ destinations: destinations({ allowed: [], refused: [] }) });
  await expect(aSource(values, null, none)).rejects.toThrow(ConfigRefused);
  const only = await testContext({ destinations: destinations({ allowed: ['127.0.0.1'], refused: [] }) });
  const stray = await aSource({ ...values, brokers: [kafka.server.strayAddress] }, null, only);
  await expect(stray.read(unending())).rejects.toThrow('may not connect to 127.9.9.9');
});
