import { idOf, type TenantId } from '@sluice/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { client, eventually, say, collectedLog } from '@sluice/testing';
import { consume, deadLetter, make, nameOf, sight, sighted, type Handle } from '../messages.ts';
import { widgetService, type WidgetService } from '../widget-service.ts';
import { sqlOf } from '@sluice/service';
import { requestDeadLetter, PermanentError } from '@sluice/messaging';

/** What `/readyz` says of the consumers. */
async function readiness({ url }: WidgetService): Promise<{ status: number; consumers: string | undefined }> {
  const { status, body } = await client(url).get<{ reasons?: { consumers?: string } }>('/readyz');
  return { status, consumers: body.reasons?.consumers };
}

async function untilPaused(widgets: WidgetService, reason: string): Promise<void> {
  const said = new RegExp(`^reader is paused since 20\\S+Z at message \\S+_EVENTS \\d+: ${reason}$`);
  await eventually(async () =>
    expect(await readiness(widgets)).toEqual({
      status: 503,
      consumers: expect.stringMatching(said) as string,
    }),
  );
  // whoever sends callers to replicas leaves it out, since it is the same in all of them
  expect((await client(widgets.url).get('/readyz?exclude=consumers')).status).toBe(200);
}

async function untilReady(widgets: WidgetService): Promise<void> {
  await eventually(async () => expect((await readiness(widgets)).status).toBe(200));
}

async function countDeadLetters({ runtime: { nats, topology } }: WidgetService): Promise<number> {
  const { state } = await (await jetstreamManager(nats)).streams.info(topology.streams.deadLetters.name);
  return state.messages;
}

describe('while the database can only be read', () => {
  const on = widgetService({ per: 'test', own: 'postgres' });
  const readOnly = async (value: 'on' | 'off') => {
    await on.sql(`ALTER SYSTEM SET default_transaction_read_only = ${value}`);
    await on.sql('SELECT pg_reload_conf()');
  };

  test('the consumer is paused and says so; then it goes on by itself, and nothing was dead-lettered', async () => {
    const widgets = await on.widgets();
    await consume(widgets, sight);
    await make(widgets, 'before');
    await eventually(async () => expect(await sighted(widgets)).toEqual(['before']));

    await readOnly('on');
    const { nats, topology, metrics } = widgets.runtime;
    for (const name of ['a', 'b']) {
      const event = { id: crypto.randomUUID(), type: 'x', correlation_id: null, data: { name } };
      await say({ nats }, 'main-api', topology.subjects.event('main-api', idOf<TenantId>(1), 'x'), event);
    }
    await untilPaused(widgets, 'PostgreSQL says 25006');
    expect(await metrics.metrics()).toContain('sluice_consumer_paused{consumer="reader"} 1');

    await readOnly('off');
    await eventually(async () => expect(await sighted(widgets)).toEqual(['before', 'a', 'b']), {
      timeoutMs: 20_000,
    });
    await untilReady(widgets);
    expect(await metrics.metrics()).toContain('sluice_consumer_paused{consumer="reader"} 0');
    expect(await countDeadLetters(widgets)).toBe(0);
  });
});

describe('a consumer waits for an end of', () => {
  const on = widgetService({ per: 'test' });
  const statement =
    (...statements: string[]): Handle =>
    async (_message, tx) => {
      for (const text of statements) await tx.query(text);
    };

  const failures: [what: string, fail: Handle, reason: string][] = [
    ['a mistake in the program', async () => void (null as unknown as string).length, 'TypeError'],
    ['a mistake in a statement', statement("SELECT 'x'::int"), 'PostgreSQL says 22P02'],
    [
      'a missing permission',
      statement('SET LOCAL ROLE pg_monitor', 'TABLE widgets'),
      'PostgreSQL says 42501',
    ],
    [
      'a time limit',
      statement('SET LOCAL statement_timeout = 1', 'SELECT pg_sleep(9)'),
      'PostgreSQL says 57014',
    ],
  ];
  test.each(failures)('%s, and puts nothing aside', async (_what, fail, reason) => {
    const { log, lines } = collectedLog();
    const widgets = await on.widgets({}, undefined, log);
    let fails = true;
    await consume(widgets, async (message, tx) => {
      if (fails) await fail(message, tx);
      await sight(message, tx);
    });
    await make(widgets, 'a');
    await untilPaused(widgets, reason);
    expect(lines).toContainEqual(
      expect.objectContaining({
        level: 'error',
        stream: on.topology.streams.events.name,
        sequence: 1,
        attempt: 1,
      }),
    );
    fails = false;
    await eventually(async () => expect(await sighted(widgets)).toEqual(['a']));
    await untilReady(widgets);
    expect(await countDeadLetters(widgets)).toBe(0);
  });

  test('a stream of dead letters that takes none', async () => {
    const widgets = await on.widgets({}, { ownsStreams: false, streams: ['events'] });
    const manager = await jetstreamManager(on.nats);
    const { name, subjects } = on.topology.streams.deadLetters;
    await manager.streams.delete(name);
    await consume(widgets, async (message, tx) => {
      if (nameOf(message) === 'poison') throw new PermanentError('refused');
      await sight(message, tx);
    });
    await make(widgets, 'poison');
    await make(widgets, 'good');
    await untilPaused(widgets, '\\S+');
    expect(await sighted(widgets)).toEqual([]);
    await manager.streams.add({ name, subjects });
    await eventually(async () => expect(await sighted(widgets)).toEqual(['good']));
    expect((await deadLetter(widgets)).header.get('Sluice-Reason')).toBe('refused');
  });
});

describe('a message that a mistake keeps from being handled', () => {
  const on = widgetService({ per: 'test' });

  test('is dead-lettered when an operator wants it, and those behind it are handled', async () => {
    const widgets = await on.widgets();
    await consume(widgets, async (message, tx) => {
      if (nameOf(message) === 'bad') throw new TypeError('a mistake');
      await sight(message, tx);
    });
    for (const name of ['bad', 'good']) await make(widgets, name);
    await untilPaused(widgets, 'TypeError');
    await requestDeadLetter(sqlOf(widgets.runtime.pool), 'reader', 1);
    await eventually(async () => expect(await sighted(widgets)).toEqual(['good']));
    const letter = await deadLetter(widgets);
    expect(letter.header.get('Sluice-Reason')).toBe('dead-lettered by an operator');
    await untilReady(widgets);
    expect(await on.sql('TABLE message_attempts')).toEqual([]);
  });
});
