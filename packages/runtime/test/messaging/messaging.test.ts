import { idOf, type TenantId } from '@sluice/contracts';
import { jetstream, jetstreamManager } from '@nats-io/jetstream';
import { eventually, say, ownNats, ownPostgres } from '@sluice/testing';
import { collectedLog, widgetService } from '../widget-service.ts';
import {
  consume,
  deadLetter,
  make,
  nameOf,
  namesOf,
  origin,
  sight,
  sighted,
  storedEvents,
  type Handle,
} from '../messages.ts';
import { withContext } from '@sluice/service';
import { NotUnderstood, PermanentError, RetryLater, retryDelay } from '@sluice/messaging';

const on = widgetService({ per: 'test' });

const start = (more?: Record<string, string>) => on.widgets(more);

test('the pauses before a message is tried again grow with its age up to five minutes', () => {
  expect([0, 4_000, 60_000, 3_600_000].map(retryDelay)).toEqual([500, 2_000, 30_000, 300_000]);
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
    const widgets = await on.widgets({ NATS_URL: own.url });
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
      await widgets.stop();
      await own.remove();
    }
  });

  test('waitUntilSent() tells whether given rows have gone out', async () => {
    const widgets = await start();
    const { rows } = await widgets.runtime.pool.query<{ id: number }>(
      `INSERT INTO outbox (message_id, ordering_key, subject, payload)
       VALUES (gen_random_uuid(), 'x', $1, '{}') RETURNING id`,
      [widgets.runtime.topology.subjects.event('main-api', idOf<TenantId>(1), 'test')],
    );
    expect(await widgets.runtime.relay.waitUntilSent([rows[0]?.id ?? 0], 5_000)).toBe(true);
  });
});

describe('consumer', () => {
  test('handles each event once with several replicas', async () => {
    const replicas = [await start(), await start()] as const;
    const consumers = await Promise.all(replicas.map((widgets) => consume(widgets, sight)));
    const names = Array.from({ length: 30 }, (_, i) => `n${i}`);
    for (const name of names) await make(replicas[0], name);
    await eventually(async () => expect((await sighted(replicas[0])).length).toBeGreaterThanOrEqual(30));
    await Promise.all(consumers.map((consumer) => consumer.stop()));
    expect((await sighted(replicas[0])).sort()).toEqual(names.sort());
  });

  test('a second delivery of a message has no second effect', async () => {
    const widgets = await start();
    await consume(widgets, sight);
    await make(widgets, 'once');
    await eventually(async () => expect(await sighted(widgets)).toEqual(['once']));
    const { nats, topology } = widgets.runtime;
    const [event] = await storedEvents(widgets);
    // without the id that NATS recognises, as a relay restarted after hours would send it
    await say(
      { nats },
      'main-api',
      topology.subjects.event('main-api', idOf<TenantId>(1), 'division_created'),
      event,
    );
    await make(widgets, 'next');
    await eventually(async () => expect(await sighted(widgets)).toEqual(['once', 'next']));
  });

  test('a poison message ends in the dead letters, counted, and lets those behind it through', async () => {
    const widgets = await start();
    await consume(widgets, async (message, tx) => {
      if (nameOf(message) === 'poison') throw new PermanentError('indigestible');
      await sight(message, tx);
    });
    await make(widgets, 'poison');
    await make(widgets, 'good');
    await eventually(async () => expect(await sighted(widgets)).toEqual(['good']));
    const letter = await deadLetter(widgets);
    expect(letter.header.get('Sluice-Reason')).toContain('indigestible');
    expect(letter.json<{ data: unknown }>().data).toEqual({ name: 'poison' });
    expect(await widgets.runtime.metrics.metrics()).toContain(
      'sluice_dead_letters_total{consumer="reader"} 1',
    );
  });

  test('a message that is not to be handled now is tried again later, and others are handled meanwhile', async () => {
    const widgets = await start();
    let attempts = 0;
    await consume(widgets, async (message, tx) => {
      await sight(message, tx);
      // more often than a poison message is tried, and what an attempt did is undone
      if (nameOf(message) === 'early' && ++attempts < 4) throw new RetryLater('too early');
    });
    await make(widgets, 'early');
    await make(widgets, 'next');
    await eventually(async () => expect(await sighted(widgets)).toEqual(['next', 'early']));
    expect(attempts).toBe(4);
    expect(await widgets.runtime.metrics.metrics()).not.toContain('sluice_dead_letters_total{');
  });

  test('a message that has to wait for too long is dead-lettered with the last reason', async () => {
    const widgets = await start();
    const refuse = () => Promise.reject(new RetryLater('nobody is there'));
    await consume(widgets, refuse, { giveUpAfterMilliseconds: 1_000 });
    await make(widgets, 'late');
    expect((await deadLetter(widgets)).header.get('Sluice-Reason')).toBe('given up: nobody is there');
  });

  test('an message that can never be handled is a dead letter at the first attempt, with its reason alone', async () => {
    const widgets = await start();
    let attempts = 0;
    await consume(widgets, () => {
      attempts += 1;
      return Promise.reject(new PermanentError('refused'));
    });
    await make(widgets, 'poison');
    expect((await deadLetter(widgets)).header.get('Sluice-Reason')).toBe('refused');
    expect(attempts).toBe(1);
  });

  test('a slow message does not hold up others where several are taken at once', async () => {
    const widgets = await start();
    const released = Promise.withResolvers<void>();
    const handle: Handle = async (message, tx) => {
      if (nameOf(message) === 'slow') await released.promise;
      await sight(message, tx);
    };
    await consume(widgets, handle, { concurrency: 2 });
    await make(widgets, 'slow');
    for (const name of ['a', 'b', 'c']) await make(widgets, name);
    await eventually(async () => expect(await sighted(widgets)).toHaveLength(3));
    released.resolve();
    await eventually(async () => expect((await sighted(widgets)).at(-1)).toBe('slow'));
  });

  test('what it does not understand waits for an upgrade, is told of once, and holds nobody up', async () => {
    const { log, lines } = collectedLog();
    const widgets = await on.widgets({}, undefined, log);
    let attempts = 0;
    const old: Handle = async (message, tx) => {
      if (nameOf(message) !== 'new') return await sight(message, tx);
      attempts += 1;
      throw new NotUnderstood('there is no new');
    };
    const consumer = await consume(widgets, old, { giveUpAfterMilliseconds: 0 });
    await make(widgets, 'new');
    await make(widgets, 'a');
    await eventually(() => expect(attempts).toBeGreaterThan(2));
    expect(await sighted(widgets)).toEqual(['a']);
    expect(lines.filter(({ consumer, level }) => consumer === 'reader' && level !== 'info')).toEqual([
      expect.objectContaining({ level: 'error', sequence: 1, reason: 'there is no new' }),
    ]);
    expect(await widgets.runtime.metrics.metrics()).toContain(
      'sluice_messages_not_understood_total{consumer="reader"} 1',
    );

    await consumer.stop();
    await consume(widgets, sight);
    await eventually(async () => expect(await sighted(widgets)).toEqual(['a', 'new']));
  });

  test('what is no message at all is dead-lettered too', async () => {
    const widgets = await start();
    await consume(widgets, sight);
    const { nats, topology } = widgets.runtime;
    await say({ nats }, 'main-api', topology.subjects.event('main-api', idOf<TenantId>(1), 'x'), 'not json');
    await make(widgets, 'good');
    await eventually(async () => expect(await sighted(widgets)).toEqual(['good']));
  });

  test('messages wait while the database is away; none is lost or dead-lettered', async () => {
    const own = await ownPostgres();
    const widgets = await on.widgets({ DATABASE_URL: own.url });
    try {
      await consume(widgets, sight);
      await make(widgets, 'before');
      await eventually(async () => expect(await sighted(widgets)).toEqual(['before']));
      await own.stop();
      const { nats, topology } = widgets.runtime;
      const event = { id: crypto.randomUUID(), type: 'x', correlation_id: null, data: { name: 'during' } };
      await say(
        { nats },
        'main-api',
        topology.subjects.event('main-api', idOf<TenantId>(1), event.type),
        event,
      );
      // long enough for more attempts than a poison message would get
      await eventually(async () => {
        const info = await (
          await jetstreamManager(nats)
        ).consumers.info(topology.streams.events.name, 'reader');
        expect(info.num_ack_pending).toBe(1);
      });
      await own.start();
      await eventually(async () => expect(await sighted(widgets)).toEqual(['before', 'during']), {
        timeoutMs: 20_000,
      });
    } finally {
      await widgets.stop();
      await own.remove();
    }
  });
});

test('replicas that start at the same time on an empty database migrate it once', async () => {
  const replicas = await Promise.all([start(), start(), start(), start()]);
  const { rows } = await replicas[0].runtime.pool.query<{ name: string }>(
    'SELECT name FROM schema_migrations',
  );
  expect(rows).toContainEqual({ name: 'own-001-widgets' });
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
});
