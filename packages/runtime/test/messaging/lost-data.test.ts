import { randomUUID } from 'node:crypto';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { idOf, type DeploymentId } from '@sluice/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { client, eventually, testFolder } from '@sluice/testing';
import { consume, emitNamed, make, namesOf, origin, sight, sighted } from '../messages.ts';
import { widgetService, type WidgetService } from '../widget-service.ts';

/** What NATS loses is sent again, and has its effect once. */

const region = { cloud: 'cloud_a', region: 'us-east-1' } as const;
const deletion = { deployment_id: idOf<DeploymentId>(1), uid: randomUUID(), cause: origin.cause };
/** the buckets of the grants are not what this is about */
const options = { ownsStreams: true, authorizes: false };
const patience = { timeoutMs: 30_000 };

const healed = (widgets: WidgetService) =>
  eventually(async () => {
    const { status, body } = await client(widgets.url).get<{ checks: Record<string, string> }>('/readyz');
    expect({ status, checks: body.checks }).toMatchObject({ status: 200 });
  }, patience);

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `n${String(from + i).padStart(3, '0')}`);

async function makeAll(widgets: WidgetService, names: string[]): Promise<void> {
  for (const name of names) await make(widgets, name);
}

describe('a server that', () => {
  const on = widgetService({ per: 'test', own: 'nats' });
  const start = () => on.widgets({}, options);

  test('comes back empty gets everything again, in order, and nothing has a second effect', async () => {
    const [one, two] = [await start(), await start()] as const;
    await consume(one, sight);
    await consume(two, sight);
    await makeAll(one, numbered(1, 60));
    await eventually(async () => expect(await sighted(one)).toHaveLength(60));

    await on.own.wipe();
    await makeAll(two, numbered(61, 70));
    await eventually(async () => expect(await namesOf(one)).toEqual(numbered(1, 70)), patience);
    await eventually(async () => expect((await sighted(one)).sort()).toEqual(numbered(1, 70)), patience);
    await healed(one);
    await healed(two);
  }, 60_000);

  test('comes back empty loses no message of a work queue, handled before or not', async () => {
    const widgets = await start();
    const send = () => widgets.work(origin, async (tx) => tx.command(region, 'deployment_delete', deletion));
    let handled = 0;
    const handle = async () => void (handled += 1);
    const consumer = await consume(widgets, handle, { stream: on.topology.streams.commands });
    await send();
    await eventually(() => expect(handled).toBe(1));
    await consumer.stop();
    await send();
    await eventually(async () => expect(await widgets.runtime.relay.waitUntilSent([2], 1_000)).toBe(true));

    await on.own.wipe();
    await consume(widgets, handle, { stream: on.topology.streams.commands, name: 'reader' });
    await eventually(() => expect(handled).toBe(2), patience);
    const manager = await eventually(() => jetstreamManager(on.nats), patience);
    await eventually(async () => {
      const { state } = await manager.streams.info(on.topology.streams.commands.name);
      expect(state).toMatchObject({ messages: 0, last_seq: 2 });
    });
    expect(handled).toBe(2);
  }, 60_000);

  test('comes back with older data gets again what it had stored since, though it had it just now', async () => {
    const widgets = await start();
    await consume(widgets, sight);
    await makeAll(widgets, numbered(1, 5));
    await eventually(async () => expect(await sighted(widgets)).toEqual(numbered(1, 5)));
    const restore = await on.own.backUp();
    await healed(widgets);
    await makeAll(widgets, numbered(6, 12));
    await eventually(async () => expect(await sighted(widgets)).toEqual(numbered(1, 12)), patience);

    await restore();
    await eventually(async () => expect(await namesOf(widgets)).toEqual(numbered(1, 12)), patience);
    await makeAll(widgets, numbered(13, 15));
    await eventually(async () => expect(await sighted(widgets)).toEqual(numbered(1, 15)), patience);
    await healed(widgets);
  }, 60_000);

  test('comes back with older data, and others have filled its places already, gets it again too', async () => {
    const widgets = await start();
    await makeAll(widgets, numbered(1, 3));
    await eventually(async () => expect(await namesOf(widgets)).toEqual(numbered(1, 3)));
    const restore = await on.own.backUp();
    await healed(widgets);
    await makeAll(widgets, numbered(4, 6));
    await eventually(async () => expect(await namesOf(widgets)).toEqual(numbered(1, 6)), patience);

    // as they are after the relays of other services have sent what they had
    await widgets.runtime.pool.query('UPDATE outbox_sent SET sequence = 1 WHERE sequence > 3');
    await restore();
    await eventually(async () => expect(await namesOf(widgets)).toEqual(numbered(1, 6)), patience);
  }, 60_000);

  test('has lost messages, but not that they were read, has those read that take their places', async () => {
    const widgets = await start();
    await consume(widgets, sight);
    await makeAll(widgets, numbered(1, 3));
    await eventually(async () => expect(await sighted(widgets)).toEqual(numbered(1, 3)));
    const { name } = on.topology.streams.events;
    const messages = join(on.own.folder, 'store/jetstream/$G/streams', name, 'msgs');
    const copy = await testFolder();
    await on.own.stop();
    await cp(messages, copy, { recursive: true });
    await on.own.start();
    await makeAll(widgets, numbered(4, 9));
    await eventually(async () => expect(await sighted(widgets)).toEqual(numbered(1, 9)), patience);

    await on.own.stop();
    await rm(messages, { recursive: true });
    await cp(copy, messages, { recursive: true });
    // nothing is sent again: what comes next takes the places of what was lost
    await widgets.runtime.pool.query('DELETE FROM outbox_sent');
    await on.own.start();
    await makeAll(widgets, numbered(10, 12));
    const all = [...numbered(1, 9), ...numbered(10, 12)];
    await eventually(async () => expect(await sighted(widgets)).toEqual(all), patience);
  }, 60_000);

  test('is away leaves the service unready, and what waits does not', async () => {
    const widgets = await start();
    await on.own.stop();
    await eventually(async () => {
      const { status, body } = await client(widgets.url).get<{ checks: object }>('/readyz');
      expect({ status, ...body.checks }).toMatchObject({ status: 503, nats: 'unavailable' });
    }, patience);
    await on.own.start();
    await healed(widgets);
    await widgets.runtime.pool.query(
      "INSERT INTO outbox (message_id, ordering_key, subject, payload) VALUES (gen_random_uuid(), 'x', 'x.nothing.y', '')",
    );
    expect(await widgets.runtime.relay.waitUntilSent([1], 500)).toBe(false);
    await healed(widgets);
  }, 60_000);

  test('hangs leaves the service unready within seconds', async () => {
    const widgets = await start();
    on.own.pause();
    try {
      await eventually(async () => {
        const { status, body } = await client(widgets.url).get<{ checks: object }>('/readyz');
        expect({ status, ...body.checks }).toMatchObject({ status: 503, nats: 'unavailable' });
      }, patience);
    } finally {
      on.own.resume();
    }
    await healed(widgets);
  }, 60_000);
});

describe('without a loss of the connection', () => {
  const on = widgetService({ per: 'test' });
  const start = () => on.widgets({}, options);

  const readWith = async (widgets: WidgetService) => {
    await consume(widgets, sight);
    await makeAll(widgets, numbered(1, 30));
    await eventually(async () => expect(await sighted(widgets)).toEqual(numbered(1, 30)));
  };

  test('a stream that somebody deletes is made anew, filled again and read', async () => {
    const widgets = await start();
    await readWith(widgets);
    await (await jetstreamManager(on.nats)).streams.delete(on.topology.streams.events.name);
    await makeAll(widgets, numbered(31, 32));
    await eventually(async () => expect(await namesOf(widgets)).toEqual(numbered(1, 32)), patience);
    await eventually(async () => expect(await sighted(widgets)).toEqual(numbered(1, 32)), patience);
  });

  test('a message in a place that another had before has that one sent again', async () => {
    const widgets = await start();
    await makeAll(widgets, ['a', 'b']);
    await eventually(async () => expect(await namesOf(widgets)).toEqual(['a', 'b']));
    // as if both had stood further on before the stream was set back, and one stands where the next will
    await eventually(async () => {
      // the stream has a message before the relay has noted its place
      const { rowCount } = await widgets.runtime.pool.query(
        'UPDATE outbox_sent SET sequence = 3, message_id = gen_random_uuid() WHERE sequence = 2',
      );
      expect(rowCount).toBe(1);
    });
    await widgets.work(origin, async (tx) => emitNamed(tx, 'c', 2));
    await eventually(async () => expect(await namesOf(widgets)).toEqual(['a', 'b', 'c', 'b']));
  });
});
