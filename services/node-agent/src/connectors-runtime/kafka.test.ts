import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { Admin } from '@platformatic/kafka';
import { eventually, startKafka, testFolder, type KafkaServer } from '@sluice/testing';
import { RuntimeProcesses, TestNode } from '#test/connectors.ts';
import type { RuntimeState } from './protocol.ts';

const node = new TestNode();
let kafka: KafkaServer | null = null;
const processes = new RuntimeProcesses();
beforeAll(async () => {
  [kafka] = await Promise.all([startKafka(), node.start()]);
});
afterEach(() => processes.killAll());
afterAll(async () => {
  await Promise.all([node.close(), kafka?.remove()]);
});

/** What a stream has: the number in each message, and the id that the sink gave it. */
async function messagesIn(stream: string): Promise<{ n: number; id: string }[]> {
  const manager = await jetstreamManager(node.client);
  const { state } = await manager.streams.info(stream);
  const found = [];
  for (let seq = state.first_seq; seq <= state.last_seq; seq++) {
    const message = await manager.streams.getMessage(stream, { seq });
    if (message) found.push({ ...message.json<{ n: number }>(), id: message.header.get('svc-message') });
  }
  return found;
}
const lengthOf = async (stream: string) =>
  (await (await jetstreamManager(node.client)).streams.info(stream)).state.messages;

test('all messages go to Kafka and come back, though the runtime and the broker are killed in the middle', async () => {
  if (!kafka) return;
  const admin = new Admin({ clientId: 'test', bootstrapBrokers: [kafka.address] });
  await admin.createTopics({ topics: ['round'], partitions: 3, replicas: 1 });
  await admin.close();
  await node.addStream('there');
  await node.addStream('back');
  const values = { brokers: [kafka.address], tls: 'disable' };
  const sink = { streams: [{ stream: 'there', topics: ['there.new'], batch_length: 10 }] };
  const source = { streams: [{ stream: 'back', topics: ['back.new'], schema: 'json' }] };
  const state: RuntimeState = {
    broker: node.access,
    destinations: { allowed: ['127.0.0.1'], refused: [] },
    instances: [
      node.instance({ ...sink, plugin_config: { ...values, topic: 'round' } }, { connector_key: 'kafka' }),
      node.instance(
        { ...source, plugin_config: { ...values, topics: ['round'], batch_records: 10 } },
        { type: 'source', connector_key: 'kafka' },
      ),
    ],
  };
  const total = 1_500;
  const client = jetstream(node.client);
  const publishing = (async () => {
    for (let n = 0; n < total; n++) await client.publish('there.new', JSON.stringify({ n }));
  })();
  const folder = await testFolder();
  const first = await processes.start(folder, state);
  await eventually(async () => expect(await lengthOf('back')).toBeGreaterThan(100));
  await first.kill();
  const before = await lengthOf('back');
  await processes.start(folder, state);
  await eventually(async () => expect(await lengthOf('back')).toBeGreaterThan(before));
  await kafka.kill();
  await kafka.start();
  await publishing;
  const numbers = async () =>
    [...new Set((await messagesIn('back')).map(({ n }) => n))].sort((a, b) => a - b);
  await eventually(async () => expect(await lengthOf('back')).toBeGreaterThanOrEqual(total), {
    timeoutMs: 60_000,
  });
  await eventually(async () => expect(await numbers()).toEqual(Array.from({ length: total }, (_, n) => n)));
  // what came twice can be told by its id
  expect(new Set((await messagesIn('back')).map(({ id }) => id)).size).toBe(total);
});
