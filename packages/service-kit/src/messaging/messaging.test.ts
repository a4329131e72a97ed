import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { eventually, ownNats, ownPostgres } from '@sluice/testing';
import { startThings, surroundings, type Surroundings, type ThingService } from '../../test/thing-service.ts';
import { withContext } from '../request-context.ts';
import { Consumer, type ConsumerOptions, type Envelope } from './consumer.ts';
import type { Outgoing } from './outbox.ts';
import { Indigestible, NotNow, pauseAt } from './outcomes.ts';
import type { Sql } from '../database/sql.ts';

const cause = { author: { id: 7, name: 'Ada' }, api_key: null, correlation_id: null };
const started: ThingService[] = [];
let around: Surroundings;

beforeEach(async () => {
  around = await surroundings();
});
afterEach(async () => {
  await Promise.all(started.splice(0).map(({ service }) => service.stop()));
  await around.end();
});

async function start(more?: Record<string, string>): Promise<ThingService> {
  const things = await startThings(around, more);
  started.push(things);
  return things;
}

/** Inserts a thing and tells of it, in one unit of work. */
async function make(things: ThingService, name: string): Promise<void> {
  await things.work(cause, async (tx) => {
    await tx.query('INSERT INTO things (name) VALUES ($1)', [name]);
    tx.emit('division_created', { tenant_id: 1, division: { id: 3, name } }, { name });
  });
}

async function storedEvents({
  foundation: { nats, topology },
}: ThingService): Promise<{ data: { name: string } }[]> {
  const { state } = await (await jetstreamManager(nats)).streams.info(topology.streams.events.name);
  const stream = await jetstream(nats).streams.get(topology.streams.events.name);
  const events: { data: { name: string } }[] = [];
  for (let seq = Math.max(state.first_seq, 1); seq <= state.last_seq; seq++) {
    const message = await stream.getMessage({ seq });
    if (message) events.push(message.json());
  }
  return events;
}

const namesOf = async (things: ThingService) => (await storedEvents(things)).map(({ data }) => data.name);

type Handle = (message: Envelope, tx: Sql & Outgoing) => Promise<void>;

async function consume(
  { foundation, work }: ThingService,
  handle: Handle,
  maxAttempts = 3,
  more: Partial<ConsumerOptions<Sql>> = {},
): Promise<Consumer<Sql>> {
  const { nats, topology, metrics, log } = foundation;
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
  foundation.onStop(() => consumer.stop());
  return consumer;
}

const note = (message: Envelope, tx: Sql) =>
  tx.query('INSERT INTO things (name) VALUES ($1)', [`seen ${(message['data'] as { name: string }).name}`]);
const seen = async ({ foundation }: ThingService) =>
  (
    await foundation.pool.query<{ name: string }>(
      "SELECT name FROM things WHERE name LIKE 'seen%' ORDER BY id",
    )
  ).rows.map(({ name }) => name);

/** The reason of the first message that is put aside. */
async function deadLetterReason({ foundation: { nats, topology } }: ThingService): Promise<string> {
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
    const things = await start();
    await make(things, 'a');
    await expect(
      things.work(cause, async (tx) => {
        await tx.query('INSERT INTO things (name) VALUES ($1)', ['b']);
        tx.emit('division_created', { tenant_id: 1 }, { name: 'b' });
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await make(things, 'c');
    await eventually(async () => expect(await namesOf(things)).toEqual(['a', 'c']));
  });

  test('an event carries author, names, time and the trace of its request', async () => {
    const things = await start();
    const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;
    await withContext({ requestId: 'c'.repeat(32), traceparent }, () => make(things, 'a'));
    const [event] = await eventually(async () => {
      const events = await storedEvents(things);
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
    const { nats, topology } = things.foundation;
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
    const things = await startThings(elsewhere);
    try {
      await make(things, 'before');
      await eventually(async () => expect(await namesOf(things)).toEqual(['before']));
      await own.stop();
      await make(things, 'during');
      await own.start();
      await eventually(async () => expect(await namesOf(things)).toEqual(['before', 'during']), {
        timeoutMs: 20_000,
      });
    } finally {
      await things.service.stop();
      await own.remove();
    }
  });

  test('sent() tells whether given rows have gone out', async () => {
    const things = await start();
    const { rows } = await things.foundation.pool.query<{ id: number }>(
      `INSERT INTO outbox (message_id, lane, subject, payload)
       VALUES (gen_random_uuid(), 'x', $1, '{}') RETURNING id`,
      [things.foundation.topology.subjects.event(1, 'test')],
    );
    expect(await things.foundation.relay.sent([rows[0]?.id ?? 0], 5_000)).toBe(true);
  });
});

describe('consumer', () => {
  test('handles each event once, in order, with several replicas', async () => {
    const replicas = [await start(), await start()] as const;
    const consumers = await Promise.all(
      replicas.map((things) => consume(things, async (m, tx) => void (await note(m, tx)))),
    );
    for (let i = 0; i < 30; i++) await make(replicas[0], `n${i}`);
    await eventually(async () => expect((await seen(replicas[0])).length).toBe(30));
    await Promise.all(consumers.map((consumer) => consumer.stop()));
  });

  test('a second delivery of a message has no second effect', async () => {
    const things = await start();
    await consume(things, async (message, tx) => void (await note(message, tx)));
    await make(things, 'once');
    await eventually(async () => expect(await seen(things)).toEqual(['seen once']));
    const { nats, topology } = things.foundation;
    const [event] = await storedEvents(things);
    // without the id that NATS recognises, as a relay restarted after hours would send it
    await jetstream(nats).publish(topology.subjects.event(1, 'division_created'), JSON.stringify(event));
    await make(things, 'next');
    await eventually(async () => expect(await seen(things)).toEqual(['seen once', 'seen next']));
  });

  test('a poison message ends in the dead letters, counted, and lets those behind it through', async () => {
    const things = await start();
    await consume(things, async (message, tx) => {
      if ((message['data'] as { name: string }).name === 'poison') throw new Error('indigestible');
      await note(message, tx);
    });
    await make(things, 'poison');
    await make(things, 'good');
    await eventually(async () => expect(await seen(things)).toEqual(['seen good']));
    const { nats, topology, metrics } = things.foundation;
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
    const things = await start();
    let attempts = 0;
    await consume(things, async (message, tx) => {
      await note(message, tx);
      // more often than a poison message is tried, and what an attempt did is undone
      if ((message['data'] as { name: string }).name === 'early' && ++attempts < 4)
        throw new NotNow('too early');
    });
    await make(things, 'early');
    await make(things, 'next');
    await eventually(async () => expect(await seen(things)).toEqual(['seen next', 'seen early']));
    expect(attempts).toBe(4);
    expect(await things.foundation.metrics.metrics()).not.toContain('sluice_dead_letters_total{');
  });

  test('a message that has to wait for too long is put aside with the last reason', async () => {
    const things = await start();
    const refuse = () => Promise.reject(new NotNow('nobody is there'));
    await consume(things, refuse, 3, { patienceMilliseconds: 1_000 });
    await make(things, 'late');
    expect(await deadLetterReason(things)).toBe('given up: nobody is there');
  });

  test('an indigestible message is put aside at the first attempt, with its reason alone', async () => {
    const things = await start();
    let attempts = 0;
    await consume(things, () => {
      attempts += 1;
      return Promise.reject(new Indigestible('refused'));
    });
    await make(things, 'poison');
    expect(await deadLetterReason(things)).toBe('refused');
    expect(attempts).toBe(1);
  });

  test('a slow message does not hold up others where several are taken at once', async () => {
    const things = await start();
    const released = Promise.withResolvers<void>();
    const handle: Handle = async (message, tx) => {
      if ((message['data'] as { name: string }).name === 'slow') await released.promise;
      await note(message, tx);
    };
    await consume(things, handle, 3, { atOnce: 2 });
    await make(things, 'slow');
    for (const name of ['a', 'b', 'c']) await make(things, name);
    await eventually(async () => expect(await seen(things)).toHaveLength(3));
    released.resolve();
    await eventually(async () => expect((await seen(things)).at(-1)).toBe('seen slow'));
  });

  test('what is no message at all is put aside too', async () => {
    const things = await start();
    await consume(things, async (message, tx) => void (await note(message, tx)));
    const { nats, topology } = things.foundation;
    await jetstream(nats).publish(topology.subjects.event(1, 'x'), 'not json');
    await make(things, 'good');
    await eventually(async () => expect(await seen(things)).toEqual(['seen good']));
  });

  test('messages wait while the database is away; none is lost or put aside', async () => {
    const own = await ownPostgres();
    const things = await startThings({ ...around, databaseUrl: own.url });
    try {
      await consume(things, async (message, tx) => void (await note(message, tx)), 1);
      await make(things, 'before');
      await eventually(async () => expect(await seen(things)).toEqual(['seen before']));
      await own.stop();
      const { nats, topology } = things.foundation;
      const event = { id: crypto.randomUUID(), type: 'x', correlation_id: null, data: { name: 'during' } };
      await jetstream(nats).publish(topology.subjects.event(1, 'x'), JSON.stringify(event));
      // long enough for more attempts than a poison message would get
      await eventually(async () => {
        const info = await (
          await jetstreamManager(nats)
        ).consumers.info(topology.streams.events.name, 'reader');
        expect(info.num_ack_pending).toBe(1);
      });
      await own.start();
      await eventually(async () => expect(await seen(things)).toEqual(['seen before', 'seen during']), {
        timeoutMs: 20_000,
      });
    } finally {
      await things.service.stop();
      await own.remove();
    }
  });
});

test('replicas that start at the same time on an empty database migrate it once', async () => {
  const replicas = await Promise.all([start(), start(), start(), start()]);
  const { rows } = await replicas[0].foundation.pool.query<{ name: string }>('SELECT name FROM migrations');
  expect(rows).toContainEqual({ name: 'own-001-things' });
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
});
