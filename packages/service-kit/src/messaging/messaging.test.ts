import { idOf, type TenantId, type UserId, type DivisionId } from '@sluice/contracts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { eventually, ownNats, ownPostgres } from '@sluice/testing';
import {
  startWidgets,
  surroundings,
  type Surroundings,
  type WidgetService,
} from '../../test/widget-service.ts';
import { withContext } from '../request-context.ts';
import { Consumer, type ConsumerOptions, type Envelope } from './consumer.ts';
import type { Outgoing } from './outbox.ts';
import { PermanentError, RetryLater, pauseAt } from './errors.ts';
import type { Sql } from '../database/sql.ts';

const origin = {
  cause: { author: { id: idOf<UserId>(7), name: 'Ada' }, api_key: null, correlation_id: null },
};
const started: WidgetService[] = [];
let around: Surroundings;

beforeEach(async () => {
  around = await surroundings();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ service }) => service.stop()));
  await around.end();
});

async function start(more?: Record<string, string>): Promise<WidgetService> {
  const widgets = await startWidgets(around, more);
  started.push(widgets);
  return widgets;
}

/** Inserts a widget and tells of it, in one unit of work. */
async function make(widgets: WidgetService, name: string): Promise<void> {
  await widgets.work(origin, async (tx) => {
    await tx.query('INSERT INTO widgets (name) VALUES ($1)', [name]);
    tx.emit(
      'division_created',
      { tenant_id: idOf<TenantId>(1), division: { id: idOf<DivisionId>(3), name } },
      { name },
    );
  });
}

async function storedEvents({
  runtime: { nats, topology },
}: WidgetService): Promise<{ data: { name: string } }[]> {
  const { state } = await (await jetstreamManager(nats)).streams.info(topology.streams.events.name);
  const stream = await jetstream(nats).streams.get(topology.streams.events.name);
  const events: { data: { name: string } }[] = [];
  for (let seq = Math.max(state.first_seq, 1); seq <= state.last_seq; seq++) {
    const message = await stream.getMessage({ seq });
    if (message) events.push(message.json());
  }
  return events;
}

const namesOf = async (widgets: WidgetService) => (await storedEvents(widgets)).map(({ data }) => data.name);

type Handle = (message: Envelope, tx: Sql & Outgoing) => Promise<void>;

async function consume(
  { runtime, work }: WidgetService,
  handle: Handle,
  maxAttempts = 3,
  more: Partial<ConsumerOptions<Sql>> = {},
): Promise<Consumer<Sql>> {
  const { nats, topology, metrics, log } = runtime;
  const stream = topology.streams.events;
  const consumer = new Consumer({
    nats,
    topology,
    stream,
    name: 'reader',
    work,
    handle,
    maxAttempts,
    metrics,
    log,
    ...more,
  });
  await consumer.start();
  runtime.onStop(() => consumer.stop());
  return consumer;
}

const note = (message: Envelope, tx: Sql) =>
  tx.query('INSERT INTO widgets (name) VALUES ($1)', [`seen ${(message['data'] as { name: string }).name}`]);
const seen = async ({ runtime }: WidgetService) =>
  (
    await runtime.pool.query<{ name: string }>("SELECT name FROM widgets WHERE name LIKE 'seen%' ORDER BY id")
  ).rows.map(({ name }) => name);

/** The reason of the first message that is put aside. */
async function deadLetterReason({ runtime: { nats, topology } }: WidgetService): Promise<string> {
  const dead = await jetstream(nats).streams.get(topology.streams.deadLetters.name);
  return eventually(async () => {
    const letter = await dead.getMessage({ seq: 1 });
    if (!letter) throw new Error('nothing is put aside yet');
    return letter.header.get('Sluice-Reason');
  });
}

test('the pauses before a message is tried again grow with its age up to five minutes', () => {
  expect([0, 4_000, 60_000, 3_600_000].map(pauseAt)).toEqual([500, 2_000, 30_000, 300_000]);
});

describe('outbox', () => {
  test('a change and its event are stored together or not at all', async () => {
    const widgets = await start();
    await make(widgets, 'a');
    await expect(
      widgets.work(origin, async (tx) => {
        await tx.query('INSERT INTO widgets (name) VALUES ($1)', ['b']);
        tx.emit('division_created', { tenant_id: idOf<TenantId>(1) }, { name: 'b' });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await make(widgets, 'c');
    await eventually(async () => expect(await namesOf(widgets)).toEqual(['a', 'c']));
  });

  test('an event carries author, names, time and the trace of its request', async () => {
    const widgets = await start();
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await withContext({ requestId: 'c'.repeat(32), traceparent }, () => make(widgets, 'a'));
    const [event] = await eventually(async () => {
      const events = await storedEvents(widgets);
      expect(events).toHaveLength(1);
      return events;
    });
    expect(event).toMatchObject({
      type: 'division_created',
      tenant_id: 1,
      division: { id: 3, name: 'a' },
      environment: null,
      author: { id: 7, name: 'Ada' },
      data: { name: 'a' },
    });
    const { nats, topology } = widgets.runtime;
    const stream = await jetstream(nats).streams.get(topology.streams.events.name);
    expect((await stream.getMessage({ seq: 1 }))?.header.get('traceparent')).toBe(traceparent);
  });

  test('several replicas at work send everything once and in order', async () => {
    const replicas = [await start(), await start(), await start()] as const;
    const names = Array.from({ length: 120 }, (_, i) => `n${String(i).padStart(3, '0')}`);
    for (const [i, name] of names.entries()) await make(replicas[i % 3] ?? replicas[0], name);
    await eventually(async () => expect(await namesOf(replicas[0])).toEqual(names));
  });

  test('what was stored while NATS was away is sent when it is back', async () => {
    const own = await ownNats();
    const elsewhere = { ...around, natsUrl: own.url };
    const widgets = await startWidgets(elsewhere);
    try {
      await make(widgets, 'before');
      await eventually(async () => expect(await namesOf(widgets)).toEqual(['before']));
      await own.stop();
      await make(widgets, 'during');
      await own.start();
      await eventually(async () => expect(await namesOf(widgets)).toEqual(['before', 'during']), {
        timeoutMs: 20_000,
      });
    } finally {
      await widgets.service.stop();
      await own.remove();
    }
  });

  test('sent() tells whether given rows have gone out', async () => {
    const widgets = await start();
    const { rows } = await widgets.runtime.pool.query<{ id: number }>(
      `INSERT INTO outbox (message_id, ordering_key, subject, payload)
       VALUES (gen_random_uuid(), 'x', $1, '{}') RETURNING id`,
      [widgets.runtime.topology.subjects.event(idOf<TenantId>(1), 'test')],
    );
    expect(await widgets.runtime.relay.sent([rows[0]?.id ?? 0], 5_000)).toBe(true);
  });
});

describe('consumer', () => {
  test('handles each event once, in order, with several replicas', async () => {
    const replicas = [await start(), await start()] as const;
    const consumers = await Promise.all(
      replicas.map((widgets) => consume(widgets, async (m, tx) => void (await note(m, tx)))),
    );
    for (let i = 0; i < 30; i++) await make(replicas[0], `n${i}`);
    await eventually(async () => expect((await seen(replicas[0])).length).toBe(30));
    await Promise.all(consumers.map((consumer) => consumer.stop()));
  });

  test('a second delivery of a message has no second effect', async () => {
    const widgets = await start();
    await consume(widgets, async (message, tx) => void (await note(message, tx)));
    await make(widgets, 'once');
    await eventually(async () => expect(await seen(widgets)).toEqual(['seen once']));
    const { nats, topology } = widgets.runtime;
    const [event] = await storedEvents(widgets);
    // without the id that NATS recognises, as a relay restarted after hours would send it
    await jetstream(nats).publish(
      topology.subjects.event(idOf<TenantId>(1), 'division_created'),
      JSON.stringify(event),
    );
    await make(widgets, 'next');
    await eventually(async () => expect(await seen(widgets)).toEqual(['seen once', 'seen next']));
  });

  test('a poison message ends in the dead letters, counted, and lets those behind it through', async () => {
    const widgets = await start();
    await consume(widgets, async (message, tx) => {
      if ((message['data'] as { name: string }).name === 'poison') throw new Error('indigestible');
      await note(message, tx);
    });
    await make(widgets, 'poison');
    await make(widgets, 'good');
    await eventually(async () => expect(await seen(widgets)).toEqual(['seen good']));
    const { nats, topology, metrics } = widgets.runtime;
    const dead = await jetstream(nats).streams.get(topology.streams.deadLetters.name);
    const letter = await eventually(async () => {
      const message = await dead.getMessage({ seq: 1 });
      expect(message).not.toBeNull();
      return message;
    });
    expect(letter?.header.get('Sluice-Reason')).toContain('indigestible');
    expect(letter?.json<{ data: unknown }>().data).toEqual({ name: 'poison' });
    expect(await metrics.metrics()).toContain('sluice_dead_letters_total{consumer="reader"} 1');
  });

  test('a message that is not to be handled now is tried again later, and others are handled meanwhile', async () => {
    const widgets = await start();
    let attempts = 0;
    await consume(widgets, async (message, tx) => {
      await note(message, tx);
      // more often than a poison message is tried, and what an attempt did is undone
      if ((message['data'] as { name: string }).name === 'early' && ++attempts < 4)
        throw new RetryLater('too early');
    });
    await make(widgets, 'early');
    await make(widgets, 'next');
    await eventually(async () => expect(await seen(widgets)).toEqual(['seen next', 'seen early']));
    expect(attempts).toBe(4);
    expect(await widgets.runtime.metrics.metrics()).not.toContain('sluice_dead_letters_total{');
  });

  test('a message that has to wait for too long is put aside with the last reason', async () => {
    const widgets = await start();
    const refuse = () => Promise.reject(new RetryLater('nobody is there'));
    await consume(widgets, refuse, 3, { patienceMilliseconds: 1_000 });
    await make(widgets, 'late');
    expect(await deadLetterReason(widgets)).toBe('given up: nobody is there');
  });

  test('an indigestible message is put aside at the first attempt, with its reason alone', async () => {
    const widgets = await start();
    let attempts = 0;
    await consume(widgets, () => {
      attempts += 1;
      return Promise.reject(new PermanentError('refused'));
    });
    await make(widgets, 'poison');
    expect(await deadLetterReason(widgets)).toBe('refused');
    expect(attempts).toBe(1);
  });

  test('a slow message does not hold up others where several are taken at once', async () => {
    const widgets = await start();
    const released = Promise.withResolvers<void>();
    const handle: Handle = async (message, tx) => {
      if ((message['data'] as { name: string }).name === 'slow') await released.promise;
      await note(message, tx);
    };
    await consume(widgets, handle, 3, { atOnce: 2 });
    await make(widgets, 'slow');
    for (const name of ['a', 'b', 'c']) await make(widgets, name);
    await eventually(async () => expect(await seen(widgets)).toHaveLength(3));
    released.resolve();
    await eventually(async () => expect((await seen(widgets)).at(-1)).toBe('seen slow'));
  });

  test('what is no message at all is put aside too', async () => {
    const widgets = await start();
    await consume(widgets, async (message, tx) => void (await note(message, tx)));
    const { nats, topology } = widgets.runtime;
    await jetstream(nats).publish(topology.subjects.event(idOf<TenantId>(1), 'x'), 'not json');
    await make(widgets, 'good');
    await eventually(async () => expect(await seen(widgets)).toEqual(['seen good']));
  });

  test('messages wait while the database is away; none is lost or put aside', async () => {
    const own = await ownPostgres();
    const widgets = await startWidgets({ ...around, databaseUrl: own.url });
    try {
      await consume(widgets, async (message, tx) => void (await note(message, tx)), 1);
      await make(widgets, 'before');
      await eventually(async () => expect(await seen(widgets)).toEqual(['seen before']));
      await own.stop();
      const { nats, topology } = widgets.runtime;
      const event = { id: crypto.randomUUID(), type: 'x', correlation_id: null, data: { name: 'during' } };
      await jetstream(nats).publish(topology.subjects.event(idOf<TenantId>(1), 'x'), JSON.stringify(event));
      // long enough for more attempts than a poison message would get
      await eventually(async () => {
        const info = await (
          await jetstreamManager(nats)
        ).consumers.info(topology.streams.events.name, 'reader');
        expect(info.num_ack_pending).toBe(1);
      });
      await own.start();
      await eventually(async () => expect(await seen(widgets)).toEqual(['seen before', 'seen during']), {
        timeoutMs: 20_000,
      });
    } finally {
      await widgets.service.stop();
      await own.remove();
    }
  });
});

test('replicas that start at the same time on an empty database migrate it once', async () => {
  const replicas = await Promise.all([start(), start(), start(), start()]);
  const { rows } = await replicas[0].runtime.pool.query<{ name: string }>('SELECT name FROM migrations');
  expect(rows).toContainEqual({ name: 'own-001-widgets' });
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
});
