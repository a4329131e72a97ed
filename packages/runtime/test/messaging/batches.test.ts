import { jetstream } from '@nats-io/jetstream';
import { eventually } from '@sluice/testing';
import {
  consume,
  deadLetter,
  emitNamed,
  nameOf,
  namesOf,
  origin,
  sight,
  sighted,
  type Handle,
} from '../messages.ts';
import { widgetService, type WidgetService } from '../widget-service.ts';
import { type Outgoing, type Many, type Received, PermanentError } from '@sluice/messaging';
import type { Sql } from '@sluice/service';

const on = widgetService({ per: 'test' });
const names = Array.from({ length: 60 }, (_, number) => `n${number}`);

/** Has events wait that tell these names, in this order. */
async function sent(widgets: WidgetService, some: readonly string[]): Promise<void> {
  await widgets.work(origin, async (tx) => some.forEach((name) => emitNamed(tx, name)));
  await eventually(async () => expect(await namesOf(widgets)).toEqual(some));
}

const unless =
  (isWrong: (name: string) => boolean, handle: Handle): Handle =>
  async (message, tx) => {
    if (isWrong(nameOf(message))) throw new PermanentError('it is wrong');
    await handle(message, tx);
  };

/** Sights messages together. @param stored told of those that were to be */
function sightingMany(
  check: (name: string) => void,
  stored: (names: string[]) => Promise<void> | void,
): () => Many<Sql> {
  return () => {
    const all: Received[] = [];
    return {
      add(received) {
        check(nameOf(received.message));
        all.push(received);
      },
      async store(tx: Sql & Outgoing, isNew) {
        const fresh = all.filter(isNew);
        for (const { message } of fresh) await sight(message, tx);
        await stored(fresh.map(({ message }) => nameOf(message)));
      },
    };
  };
}

test('messages that come in numbers have their effect together, so many at most, each once and in their order', async () => {
  const widgets = await on.widgets();
  await sent(widgets, names);
  const { pool } = widgets.runtime;
  // some have had theirs, whose acknowledgements were lost
  const { rowCount } = await pool.query(
    `INSERT INTO inbox (consumer, message_id) SELECT 'reader', message_id FROM outbox_sent
     WHERE payload::jsonb -> 'data' ->> 'name' IN ('n3', 'n4', 'n59')`,
  );
  expect(rowCount).toBe(3);
  const batches: string[][] = [];
  await consume(widgets, sight, {
    handleMany: sightingMany(
      () => undefined,
      (some) => void batches.push(some),
    ),
    mostTogether: 25,
  });
  const expected = names.filter((name) => !['n3', 'n4', 'n59'].includes(name));
  await eventually(async () => expect(await sighted(widgets)).toEqual(expected));
  expect(batches.flat()).toEqual(expected);
  expect(batches.length).toBeLessThan(expected.length / 2);
  expect(Math.max(...batches.map(({ length }) => length))).toBeLessThanOrEqual(25);
});

test('one that cannot be handled with others is handled by itself, in its place', async () => {
  const widgets = await on.widgets();
  await sent(widgets, names);
  const isWrong = (name: string) => name === 'n30';
  const batches: string[][] = [];
  await consume(widgets, unless(isWrong, sight), {
    handleMany: sightingMany(
      (name) => {
        if (isWrong(name)) throw new Error('it cannot be added');
      },
      (some) => void batches.push(some),
    ),
  });
  await eventually(async () =>
    expect(await sighted(widgets)).toEqual(names.filter((name) => !isWrong(name))),
  );
  expect((await deadLetter(widgets)).json()).toMatchObject({ data: { name: 'n30' } });
  // the others have not been handled by themselves for that
  expect(batches.flat()).toEqual(names.filter((name) => !isWrong(name)));
});

test('of messages whose effect fails together each has its own, or none', async () => {
  const widgets = await on.widgets();
  await sent(widgets, names);
  const isWrong = (name: string) => name === 'n30';
  await consume(widgets, unless(isWrong, sight), {
    handleMany: sightingMany(
      () => undefined,
      (some) => {
        if (some.some(isWrong)) throw new PermanentError('one of them is wrong');
      },
    ),
  });
  await eventually(async () =>
    expect(await sighted(widgets)).toEqual(names.filter((name) => !isWrong(name))),
  );
  expect((await deadLetter(widgets)).json()).toMatchObject({ data: { name: 'n30' } });
});

test('what another process has ended is handled with others, though NATS has lost that it was said', async () => {
  const widgets = await on.widgets();
  const { nats, topology, pool } = widgets.runtime;
  await (await consume(widgets, sight)).stop();
  await sent(widgets, names);
  const reader = await jetstream(nats).consumers.get(topology.streams.events.name, 'reader');
  for await (const message of await reader.fetch({ max_messages: names.length })) message.nak();
  await pool.query("INSERT INTO inbox (consumer, message_id) SELECT 'reader', message_id FROM outbox_sent");

  const added: string[] = [];
  await consume(widgets, sight, {
    handleMany: sightingMany(
      (name) => void added.push(name),
      () => undefined,
    ),
  });
  await eventually(() => expect(added).toEqual(names));
  await eventually(async () => expect((await reader.info()).num_ack_pending).toBe(0));
  expect(await sighted(widgets)).toEqual([]);
});
