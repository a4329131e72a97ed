import { setTimeout as sleep } from 'node:timers/promises';
import { idOf, type TenantId } from '@sluice/contracts';
import { jetstreamManager, type ConsumerInfo } from '@nats-io/jetstream';
import { eventually, say, faultProxy } from '@sluice/testing';
import {
  consume,
  deadLetter,
  emitNamed,
  make,
  nameOf,
  namesOf,
  origin,
  sight,
  sighted,
  storedEvents,
  type Handle,
} from '../messages.ts';
import { widgetService, type WidgetService } from '../widget-service.ts';
import { PermanentError, RetryLater } from '@sluice/messaging';

const on = widgetService({ per: 'test' });

const start = (natsUrl = on.natsUrl) => on.widgets({ NATS_URL: natsUrl });

async function consumerInfo(
  { runtime: { nats, topology } }: WidgetService,
  name = 'reader',
): Promise<ConsumerInfo> {
  return (await jetstreamManager(nats)).consumers.info(topology.streams.events.name, name);
}

describe('an effect that is not idempotent in itself is had once, in spite of', () => {
  test('a replica that is killed between its commit and its acknowledgement', async () => {
    const proxy = await faultProxy(Number(new URL(on.natsUrl).port));
    const survivor = await start();
    const killed = await start(`nats://127.0.0.1:${proxy.port}`);
    try {
      await consume(killed, sight, { ackWaitMilliseconds: 1_000 });
      await make(survivor, 'first');
      await eventually(async () => expect((await consumerInfo(survivor)).ack_floor.stream_seq).toBe(1));

      // it would take its turn at sending what is in the outbox
      await killed.runtime.relay.stop();
      proxy.dropRequests();
      await make(survivor, 'second');
      await eventually(async () => expect(await sighted(survivor)).toEqual(['first', 'second']));
      expect((await consumerInfo(survivor)).num_ack_pending).toBe(1);

      proxy.disconnect();
      await consume(survivor, sight, { ackWaitMilliseconds: 1_000 });
      // NATS delivers it again, and this time hears that it has been handled
      await eventually(async () => expect((await consumerInfo(survivor)).ack_floor.stream_seq).toBe(2), {
        timeoutMs: 20_000,
      });
      expect((await consumerInfo(survivor)).delivered.consumer_seq).toBeGreaterThan(2);
      expect(await sighted(survivor)).toEqual(['first', 'second']);
    } finally {
      // it has to be there again to be stopped
      proxy.restore();
      await eventually(() => killed.runtime.nats.flush());
      await killed.stop();
      proxy.close();
    }
  });

  test('a connection to the database that breaks before the commit', async () => {
    const widgets = await start();
    let attempts = 0;
    await consume(widgets, async (message, tx) => {
      await sight(message, tx);
      if (++attempts === 1) await tx.query('SELECT pg_terminate_backend(pg_backend_pid())');
    });
    await make(widgets, 'a');
    await make(widgets, 'b');
    await eventually(async () => expect(await sighted(widgets)).toEqual(['a', 'b']));
    expect(attempts).toBe(3);
  });
});

test('two consumers of one service have their effects each', async () => {
  const widgets = await start();
  await consume(widgets, sight);
  await consume(widgets, sight, { name: 'another' });
  await make(widgets, 'a');
  await eventually(async () => expect(await sighted(widgets)).toEqual(['a', 'a']));
});

const envelope = { id: crypto.randomUUID(), type: 'x', correlation_id: null };

test.each([
  ['that is no JSON', 'nonsense', 0],
  ['without an envelope', '{"data":{"name":"a"}}', 0],
  ['with a value that PostgreSQL cannot hold', JSON.stringify({ ...envelope, data: { name: 'a\0b' } }), 1],
])('a message %s is a dead letter at once', async (_case, message, expectedAttempts) => {
  const widgets = await start();
  let attempts = 0;
  await consume(widgets, async (event, tx) => {
    attempts += 1;
    await sight(event, tx);
  });
  const { nats, topology } = widgets.runtime;
  await say({ nats }, 'main-api', topology.subjects.event('main-api', idOf<TenantId>(1), 'x'), message);
  const { header } = await deadLetter(widgets);
  expect(['Stream', 'Sequence', 'Subject'].map((name) => header.get(`Sluice-${name}`))).toEqual([
    topology.streams.events.name,
    '1',
    topology.subjects.event('main-api', idOf<TenantId>(1), 'x'),
  ]);
  expect(attempts).toBe(expectedAttempts);
  expect(await sighted(widgets)).toEqual([]);
});

test('a message that takes longer than the wait for an acknowledgement is not delivered again meanwhile', async () => {
  const widgets = await start();
  const slowly: Handle = async (message, tx) => {
    await tx.query('SELECT pg_sleep(2)');
    await sight(message, tx);
  };
  await consume(widgets, slowly, { ackWaitMilliseconds: 1_000 });
  await make(widgets, 'slow');
  await eventually(async () => expect(await sighted(widgets)).toEqual(['slow']));
  expect((await consumerInfo(widgets)).delivered.consumer_seq).toBe(1);
});

test('a consumer gets what its filter lets through, with its position in the stream', async () => {
  const widgets = await start();
  const positions: number[] = [];
  const { topology } = widgets.runtime;
  await widgets.runtime.consume({
    stream: topology.streams.events,
    filter: `${topology.namespace}.events.*.2.>`,
    name: 'reader',
    work: widgets.work,
    handle: async (message, tx, { position }) => {
      await sight(message, tx);
      positions.push(position);
    },
  });
  await widgets.work(origin, async (tx) =>
    [1, 2, 1, 2].forEach((tenant, i) => emitNamed(tx, `n${i}`, tenant)),
  );
  await eventually(async () => expect(await sighted(widgets)).toEqual(['n1', 'n3']));
  const names = await namesOf(widgets);
  expect(positions.map((position) => names[position - 1])).toEqual(['n1', 'n3']);
  expect(await widgets.runtime.metrics.metrics()).toContain(
    'sluice_messages_handled_total{consumer="reader"} 2',
  );
});

test('what a message causes carries its correlation id, and is recorded as done by the system', async () => {
  const widgets = await start();
  await consume(widgets, async (message, tx) => {
    if (nameOf(message) === 'cause') emitNamed(tx, 'consequence');
  });
  const correlation_id = crypto.randomUUID();
  await widgets.work({ cause: { ...origin.cause, correlation_id } }, async (tx) => emitNamed(tx, 'cause'));
  const [, consequence] = await eventually(async () => {
    const events = await storedEvents(widgets);
    expect(events).toHaveLength(2);
    return events;
  });
  expect(consequence).toMatchObject({ correlation_id, author: null, api_key: null });
});

test('a consumer that wants other subjects than the release before it gets these', async () => {
  const widgets = await start();
  const former = await consume(widgets, sight, { filter: `${on.namespace}.events.*.1.>` });
  await former.stop();
  await consume(widgets, sight, { filter: `${on.namespace}.events.*.2.>` });
  await widgets.work(origin, async (tx) => [1, 2].forEach((tenant) => emitNamed(tx, `n${tenant}`, tenant)));
  await eventually(async () => expect(await sighted(widgets)).toEqual(['n2']));
});

test('a dead letter is kept though one from the same place of a former stream was kept just now', async () => {
  const widgets = await start();
  const refuse: Handle = async (message) => {
    throw new PermanentError(nameOf(message));
  };
  await consume(widgets, refuse);
  await make(widgets, 'a');
  expect((await deadLetter(widgets)).header.get('Sluice-Reason')).toBe('a');
  const { nats, topology, pool } = widgets.runtime;
  // so that it is the next message that takes the first place
  await eventually(async () => expect((await pool.query('DELETE FROM outbox_sent')).rowCount).toBe(1));
  await (await jetstreamManager(nats)).streams.delete(topology.streams.events.name);
  await make(widgets, 'b');
  expect((await deadLetter(widgets, 2)).header.get('Sluice-Reason')).toBe('b');
});

test('a consumer that has lost its place on NATS takes a new one, and has no effect twice', async () => {
  const widgets = await start();
  await consume(widgets, sight);
  await make(widgets, 'a');
  await eventually(async () => expect(await sighted(widgets)).toEqual(['a']));
  const { nats, topology } = widgets.runtime;
  await (await jetstreamManager(nats)).consumers.delete(topology.streams.events.name, 'reader');
  await make(widgets, 'b');
  await eventually(async () => expect(await sighted(widgets)).toEqual(['a', 'b']), { timeoutMs: 25_000 });
});

test('a consumer that stops lets the message end that it handles, and leaves the rest to others', async () => {
  const [leaving, staying] = [await start(), await start()] as const;
  const begun = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const whenReleased: Handle = async (message, tx) => {
    begun.resolve();
    await released.promise;
    await sight(message, tx);
  };
  const consumer = await consume(leaving, whenReleased, { ackWaitMilliseconds: 1_000 });
  for (const name of ['a', 'b', 'c']) await make(leaving, name);
  await begun.promise;
  await eventually(async () => expect((await consumerInfo(staying)).num_ack_pending).toBe(3));
  const stopped = consumer.stop();
  released.resolve();
  await stopped;
  expect(await sighted(staying)).toEqual(['a']);
  await consume(staying, sight, { ackWaitMilliseconds: 1_000 });
  await eventually(async () => expect((await sighted(staying)).sort()).toEqual(['a', 'b', 'c']));
});

describe('a consumer that follows another one', () => {
  const follower = async (widgets: WidgetService, handle: () => Promise<void>) => {
    const first = await consume(widgets, handle, { name: 'first' });
    await consume(widgets, sight, { follows: { consumer: first, settleMilliseconds: 200 } });
    return first;
  };

  test('handles a message once the other one has handled what came before', async () => {
    const widgets = await on.widgets();
    const gate = Promise.withResolvers<void>();
    const first = await follower(widgets, () => gate.promise);
    await make(widgets, 'one');
    await eventually(async () => expect((await consumerInfo(widgets, 'first')).num_ack_pending).toBe(1));
    // longer than it settles
    await sleep(600);
    expect(await sighted(widgets)).toEqual([]);
    expect(await first.handledUntil()).toBeUndefined();
    gate.resolve();
    await eventually(async () => expect(await sighted(widgets)).toEqual(['one']));
  });

  test('does not wait for messages that the other one tries again', async () => {
    const widgets = await on.widgets();
    await follower(widgets, () => Promise.reject(new RetryLater('not yet')));
    await make(widgets, 'one');
    await eventually(async () => expect(await sighted(widgets)).toEqual(['one']));
    expect((await consumerInfo(widgets, 'first')).num_ack_pending).toBe(1);
  });
});
