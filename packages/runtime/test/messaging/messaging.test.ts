import { idOf, type TenantId } from '@sluice/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { eventually, say, ownPostgres, collectedLog } from '@sluice/testing';
import { widgetService } from '../widget-service.ts';
import { consume, deadLetter, make, nameOf, sight, sighted, type Handle } from '../messages.ts';
import { NotUnderstood, PermanentError, RetryLater, retryDelay } from '@sluice/messaging';

const on = widgetService({ per: 'test' });

const start = (more?: Record<string, string>) => on.widgets(more);

test('the pauses before a message is tried again grow with its age up to five minutes', () => {
  expect([0, 4_000, 60_000, 3_600_000].map(retryDelay)).toEqual([500, 2_000, 30_000, 300_000]);
});

describe('consumer', () => {
  test('a poison message ends in the dead letters at the first attempt, counted, and lets those behind it through', async () => {
    const widgets = await start();
    let attempts = 0;
    await consume(widgets, async (message, tx) => {
      if (nameOf(message) === 'poison' && ++attempts) throw new PermanentError('indigestible');
      await sight(message, tx);
    });
    await make(widgets, 'poison');
    await make(widgets, 'good');
    await eventually(async () => expect(await sighted(widgets)).toEqual(['good']));
    const letter = await deadLetter(widgets);
    expect([letter.header.get('Sluice-Reason'), attempts]).toEqual(['indigestible', 1]);
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
