import { idOf, type TenantId } from '@sluice/contracts';
import { jetstream, jetstreamManager, type ConsumerInfo } from '@nats-io/jetstream';
import { eventually, severable } from '@sluice/testing';
import { consume, deadLetter, make, sight, sighted } from '../../test/messages.ts';
import { widgetService, type WidgetService } from '../../test/widget-service.ts';

/** An effect that is not idempotent in itself is had once, whatever becomes of the process that has it. */

const on = widgetService({ per: 'test' });

const start = (natsUrl = on.natsUrl) => on.widgets({ NATS_URL: natsUrl });

async function consumerInfo({ runtime: { nats, topology } }: WidgetService): Promise<ConsumerInfo> {
  return (await jetstreamManager(nats)).consumers.info(topology.streams.events.name, 'reader');
}

test('a replica that is killed between its commit and its acknowledgement', async () => {
  const proxy = await severable(Number(new URL(on.natsUrl).port));
  const survivor = await start();
  const killed = await start(`nats://127.0.0.1:${proxy.port}`);
  try {
    await consume(killed, sight);
    await make(survivor, 'first');
    await eventually(async () => expect((await consumerInfo(survivor)).ack_floor.stream_seq).toBe(1));

    proxy.loseRequests();
    await make(survivor, 'second');
    await eventually(async () => expect(await sighted(survivor)).toEqual(['first', 'second']));
    expect((await consumerInfo(survivor)).num_ack_pending).toBe(1);

    proxy.cut();
    await consume(survivor, sight);
    // NATS delivers it again, and this time hears that it has been handled
    await eventually(async () => expect((await consumerInfo(survivor)).ack_floor.stream_seq).toBe(2), {
      timeoutMs: 20_000,
    });
    expect((await consumerInfo(survivor)).delivered.consumer_seq).toBeGreaterThan(2);
    expect(await sighted(survivor)).toEqual(['first', 'second']);
  } finally {
    // it has to be there again to be stopped
    proxy.mend();
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
  await jetstream(nats).publish(topology.subjects.event(idOf<TenantId>(1), 'x'), message);
  const { header } = await deadLetter(widgets);
  expect(['Stream', 'Sequence', 'Subject'].map((name) => header.get(`Sluice-${name}`))).toEqual([
    topology.streams.events.name,
    '1',
    topology.subjects.event(idOf<TenantId>(1), 'x'),
  ]);
  expect(attempts).toBe(expectedAttempts);
  expect(await sighted(widgets)).toEqual([]);
});
