import { setTimeout as pause } from 'node:timers/promises';
import {
  AckPolicy,
  DeliverPolicy,
  JetStreamApiError,
  jetstream,
  jetstreamManager,
  type ConsumerInfo,
  type JetStreamManager,
} from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { eventually, ownNats, type OwnServer, collectedLog } from '@sluice/testing';
import { addNewDurable, consumerAlreadyExists } from '@sluice/messaging';

const stream = 'EVENTS';
const config = {
  durable_name: 'reader',
  ack_policy: AckPolicy.Explicit,
  deliver_policy: DeliverPolicy.All,
  max_ack_pending: -1,
};

describe('with a server', () => {
  let server: OwnServer;
  let nats: NatsConnection;
  let manager: JetStreamManager;
  beforeAll(async () => {
    server = await ownNats();
    nats = await connect({ servers: server.url });
    manager = await jetstreamManager(nats);
    await manager.streams.add({ name: stream, subjects: ['event'] });
    const events = jetstream(nats);
    for (let batch = 0; batch < 10; batch++)
      await Promise.all(Array.from({ length: 500 }, () => events.publish('event', 'x')));
  });
  beforeEach(() => manager.consumers.delete(stream, config.durable_name).catch(() => undefined));
  afterAll(async () => {
    await nats.close();
    await server.remove();
  });

  /** Acknowledges all that comes, on a connection of its own. @returns ends it */
  async function read(): Promise<() => Promise<void>> {
    const reader = await connect({ servers: server.url });
    const signal = new AbortController();
    const reading = (async () => {
      while (!signal.signal.aborted)
        try {
          const consumer = await jetstream(reader).consumers.get(stream, config.durable_name);
          const messages = await consumer.consume({ max_messages: 500, abort_on_missing_resource: true });
          for await (const message of messages) message.ack();
        } catch {
          // it is deleted again and again
        }
    })();
    return async () => {
      signal.abort();
      await reader.close();
      await reading;
    };
  }

  test('one that is added while another is being deleted begins at the beginning', async () => {
    const { log, lines } = collectedLog();
    const add = () => addNewDurable(manager.consumers, stream, config, log);
    const addUnlessThere = () =>
      add().catch((error: unknown) => expect(error).toMatchObject({ code: consumerAlreadyExists }));
    await add();
    const end = await read();
    // a share of some per cent takes over the state of the deleted one: until it was seen, or there were many without
    for (let tries = 0; tries < 150 && lines.length === 0; tries++) {
      // messages have to be under way
      await pause(20 + (tries % 20) * 10);
      const [, added] = await Promise.all([
        manager.consumers.delete(stream, config.durable_name),
        // too early, while NATS still has the former one
        add().catch((error: unknown) => expect(error).toBeInstanceOf(JetStreamApiError)),
      ]);
      if (added) expect(added.delivered.consumer_seq).toBe(0);
      else await eventually(addUnlessThere);
    }
    await end();
  }, 120_000);

  test("another replica's is left alone", async () => {
    const { log } = collectedLog();
    const { created } = await addNewDurable(manager.consumers, stream, config, log);
    const adding = addNewDurable(manager.consumers, stream, config, log);
    await expect(adding).rejects.toMatchObject({ code: consumerAlreadyExists });
    expect((await manager.consumers.info(stream, config.durable_name)).created).toBe(created);
  });

  test('one of a stream whose first messages are gone is not taken for one that has a state', async () => {
    const { log, lines } = collectedLog();
    await manager.streams.purge(stream, { seq: 100 });
    const info = await addNewDurable(manager.consumers, stream, config, log);
    expect(info.delivered).toMatchObject({ consumer_seq: 0, stream_seq: 99 });
    expect(lines).toEqual([]);
  });
});

/** Answers as NATS does where a new consumer has got the state of a deleted one so many times. */
function takingOver(times: number) {
  const calls: string[] = [];
  const consumers = {
    add: async () => {
      calls.push('add');
      const place = calls.filter((call) => call === 'add').length <= times ? 7 : 0;
      return { delivered: { consumer_seq: place, stream_seq: place } } as ConsumerInfo;
    },
    delete: async () => calls.push('delete') > 0,
  };
  return { calls, consumers };
}

test('one that has got the state of a deleted one is deleted and added again, with a line in the log', async () => {
  const { log, lines } = collectedLog();
  const { calls, consumers } = takingOver(2);
  const { delivered } = await addNewDurable(consumers, stream, config, log);
  expect(delivered.consumer_seq).toBe(0);
  expect(calls).toEqual(['add', 'delete', 'add', 'delete', 'add']);
  expect(lines).toMatchObject([
    { level: 'warn', consumer: 'reader', attempt: 1 },
    { level: 'warn', consumer: 'reader', attempt: 2 },
  ]);
});

test('after some attempts it is left deleted, and tried again at the next look', async () => {
  const { log } = collectedLog();
  const { calls, consumers } = takingOver(Infinity);
  await expect(addNewDurable(consumers, stream, config, log)).rejects.toThrow('5 times');
  expect(calls.filter((call) => call === 'add')).toHaveLength(5);
  expect(calls.at(-1)).toBe('delete');
});
