import { randomUUID } from 'node:crypto';
import { idOf, type Event, type TenantId } from '@sluice/contracts';
import { openKysely } from '@sluice/service/kysely';
import { eventually } from '@sluice/testing';
import fc from 'fast-check';
import pg from 'pg';
import { division, makesChannels, scopes, tenant } from '#test/channels.ts';
import { notifier } from '#test/notifier-service.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { notifyChannels } from './notifications.store.ts';

/** What rules 1 to 3 of 6.2 say, channel by channel, beside the statement that finds the channels by an index. */

const on = notifier({ replicas: 1 });
const channels = makesChannels(on);
let database: Database;

beforeAll(() => {
  const pool = new pg.Pool({ connectionString: on.databaseUrl, max: 2 });
  on.onClose(() => pool.end());
  database = openKysely<Tables>(pool);
});

const types = ['division_created', 'deployment_created', 'high_cpu_usage'];
/** two divisions with two environments each, with two deployments each */
const places = [1, 2].flatMap((d) =>
  [1, 2].flatMap((e) => [1, 2].map((x) => ({ d, e: d * 10 + e, x: d * 100 + e * 10 + x }))),
);

const some = <T>(values: T[]) => fc.subarray(values);
const levels = fc.record({
  tenants: some([1]),
  divisions: some([1, 2]),
  environments: some([...new Set(places.map(({ e }) => e))]),
  deployments: some(places.map(({ x }) => x)),
});
const subscription = fc.record({ message_types: fc.subarray(types, { minLength: 1 }), scopes: levels });
const channel = fc.record({
  owner: fc.constantFrom(0, 0, 1, 2),
  enabled: fc.constantFrom(true, true, true, false),
  subscriptions: fc.array(subscription, { maxLength: 3 }),
});
type Channel = (typeof channel)['generate'] extends (...args: never[]) => { value: infer T } ? T : never;

const ref = (id: number) => ({ id, name: String(id) });
/** an event of each type at each depth of each place */
const events = types.flatMap((type) =>
  [undefined, ...places].flatMap((place) =>
    [1, 2, 3].slice(0, place ? 3 : 1).map((depth) => ({
      type,
      division: place ? ref(place.d) : null,
      environment: place && depth > 1 ? ref(place.e) : null,
      deployment: place && depth > 2 ? ref(place.x) : null,
    })),
  ),
);
type Happening = (typeof events)[number];

const includes = (ids: number[], id: number | undefined) =>
  ids.length === 0 || (id !== undefined && ids.includes(id));

function hears(
  { owner, enabled, subscriptions }: Channel,
  { type, division, environment, deployment }: Happening,
) {
  if (!enabled || (owner !== 0 && division?.id !== owner)) return false;
  if (subscriptions.length === 0) return true;
  return subscriptions.some(
    ({ message_types, scopes: named }) =>
      message_types.includes(type) &&
      includes(named.divisions, division?.id) &&
      includes(named.environments, environment?.id) &&
      includes(named.deployments, deployment?.id),
  );
}

const patience = { timeoutMs: 60_000 };
const message = { subject: 'subject', body: 'body', facts: [] };

test('an event reaches the channels that the rules say, and no others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(channel, { minLength: 8, maxLength: 8 }), async (given) => {
      await on.sql('DELETE FROM channels');
      const made: { id: number; is: Channel }[] = [];
      for (const is of given) {
        const owner = is.owner === 0 ? tenant() : division(is.owner);
        const subscriptions = is.subscriptions.map(({ message_types, scopes: ids }) => ({
          message_types,
          scopes: scopes(ids),
        }));
        const { id } = await channels.create({}, { owner });
        await channels.send(id, { subscriptions, enabled: is.enabled });
        made.push({ id, is });
      }
      // another tenant has the same ids below it
      await channels.create({}, { owner: tenant(2) });
      const happened = events.map((happening) => ({
        happening,
        event: {
          ...happening,
          ...{ id: randomUUID(), tenant_id: idOf<TenantId>(1), occurred_at: new Date().toISOString() },
        } as Event,
      }));
      const notices = happened.map(({ event }) => ({ event, message, resource: event.id }));
      // one by itself, and the others at once
      await notifyChannels(database, notices.slice(0, 1), 60);
      await notifyChannels(database, notices.slice(1), 60);
      const rows = await on.sql<{ message_id: string; channels: number[] }>(
        'SELECT message_id, array_agg(channel_id::int ORDER BY channel_id) AS channels FROM notifications GROUP BY message_id',
      );
      const heard = new Map(rows.map(({ message_id, channels: ids }) => [message_id, ids]));
      const found = happened.map(({ happening, event }) => ({
        happening,
        notified: heard.get(event.id) ?? [],
      }));
      const expected = events.map((happening) => ({
        happening,
        notified: made.filter(({ is }) => hears(is, happening)).map(({ id }) => id),
      }));
      expect(found).toEqual(expected);
    }),
    { numRuns: Number(process.env['MATCHING_RUNS'] ?? 2) },
  );
}, 120_000);

const happens = (type: string, tenantId: number, divisionId: number) => ({
  ...{ type, division: ref(divisionId), environment: null, deployment: null },
  ...{ id: randomUUID(), tenant_id: idOf<TenantId>(tenantId), occurred_at: new Date().toISOString() },
});

test('of several events about one thing that come at once each channel gets the first', async () => {
  const owner = tenant(4);
  const [one, other] = [await channels.create({}, { owner }), await channels.create({}, { owner })];
  const resources = ['a', 'b', 'a', 'a', 'c'];
  const notices = resources.map((resource, index) => ({
    event: happens('division_updated', 4, index) as Event,
    message,
    resource,
  }));
  expect(await notifyChannels(database, notices.slice(4), 60)).toEqual({ pending: 2, throttled: 0 });
  expect(await notifyChannels(database, notices, 60)).toEqual({ pending: 4, throttled: 6 });
  for (const { id } of [one, other]) {
    const rows = await on.sql<{ division_id: string; is_throttled: boolean }>(
      `SELECT division_id, status = 'throttled' AS is_throttled FROM notifications WHERE channel_id = $1 ORDER BY id`,
      [id],
    );
    expect(rows.map(({ division_id, is_throttled }) => [Number(division_id), is_throttled])).toEqual([
      [4, false],
      ...[false, false, true, true, true].map((is, index) => [index, is]),
    ]);
  }
});

test('an alert of a consumer that lags reaches the channels whose number of messages it is raised at', async () => {
  const owner = tenant(6);
  const usual = await channels.create({}, { owner });
  const named = (consumer_lag_threshold?: number) =>
    channels.create(
      {
        subscriptions: [
          {
            ...{ message_types: ['consumer_lag_high'], scopes: scopes({}) },
            ...(consumer_lag_threshold !== undefined && { consumer_lag_threshold }),
          },
        ],
      },
      { owner },
    );
  const [unnamed, low, high] = [await named(), await named(100), await named(1_000_000)];
  const lagging = [100, 1_000, 10_000, 1_000_000].map((consumerLag) => ({
    event: happens('consumer_lag_high', 6, 1) as Event,
    ...{ message, consumerLag, resource: String(consumerLag) },
  }));
  await notifyChannels(database, lagging, 60);
  const told = async ({ id }: { id: number }) => {
    const rows = await on.sql<{ message_id: string }>(
      'SELECT message_id FROM notifications WHERE channel_id = $1',
      [id],
    );
    return rows.map(({ message_id }) => lagging.find(({ event }) => event.id === message_id)?.consumerLag);
  };
  expect(await Promise.all([usual, unnamed, low, high].map(told))).toEqual([
    [10_000],
    [10_000],
    [100],
    [1_000_000],
  ]);
});

test('events that came while no replica ran have their effects in their order', async () => {
  const owner = tenant(5);
  const { id } = await channels.create({}, { owner });
  const own = await channels.create({}, { owner: division(1, 5) });
  await on.replica().stop();
  const story = ['division_created', 'division_deleted', 'division_created'] as const;
  for (const [index, type] of story.entries())
    await on.event(type, { ...owner, division: ref(1 + (index > 1 ? 1 : 0)), data: { name: `${index}` } });
  await on.start();
  await eventually(async () => {
    const rows = await on.sql<{ message_type: string }>(
      'SELECT message_type FROM notifications WHERE channel_id = $1 ORDER BY id',
      [id],
    );
    expect(rows.map(({ message_type }) => message_type)).toEqual(story);
  }, patience);
  expect(await on.sql('SELECT 1 FROM channels WHERE id = $1', [own.id])).toEqual([]);
});
