import { randomUUID } from 'node:crypto';
import {
  idOf,
  type ChannelOwner,
  type ChannelSubscriptionInput,
  type Event,
  type TenantId,
} from '@sluice/contracts';
import { openKysely } from '@sluice/service-kit';
import fc from 'fast-check';
import pg from 'pg';
import { change, division, makesChannels, scopes, tenant } from '#test/channels.ts';
import { notifier } from '#test/notifier-service.ts';
import type { Database, Tables } from '../../database/tables.ts';
import { notifyChannels } from '../../stores/notifications.store.ts';

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

test('an event reaches the channels that the rules say, and no others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(channel, { minLength: 8, maxLength: 8 }), async (given) => {
      await on.sql('DELETE FROM channels');
      const made: { id: number; is: Channel }[] = [];
      for (const is of given) {
        const owner: ChannelOwner = is.owner === 0 ? tenant() : division(is.owner);
        const { id } = await channels.create({}, { owner });
        const inputs = is.subscriptions.map(({ message_types, scopes: ids }): ChannelSubscriptionInput => ({
          message_types,
          scopes: scopes(ids),
        }));
        const asked = { ...change(owner), channel_id: id };
        await on.request('replace_channel_subscriptions', { ...asked, inputs, limit: 3 });
        if (!is.enabled)
          await on.request('update_channel', { ...asked, changes: { enabled: false }, may_customize: true });
        made.push({ id, is });
      }
      // another tenant has the same ids below it
      await channels.create({}, { owner: tenant(2) });
      for (const happening of events) {
        const event = {
          ...happening,
          ...{ id: randomUUID(), tenant_id: idOf<TenantId>(1), occurred_at: new Date().toISOString() },
        } as Event;
        const message = { subject: 'subject', body: 'body', facts: [] };
        await notifyChannels(database, { event, message, resource: event.id }, 60);
        const told = await on.sql<{ channel_id: string }>(
          'SELECT channel_id FROM notifications WHERE message_id = $1 ORDER BY channel_id',
          [event.id],
        );
        const expected = made.filter(({ is }) => hears(is, happening)).map(({ id }) => id);
        expect({ happening, told: told.map(({ channel_id }) => Number(channel_id)) }).toEqual({
          happening,
          told: expected,
        });
      }
    }),
    { numRuns: Number(process.env['MATCHING_RUNS'] ?? 2) },
  );
}, 120_000);
