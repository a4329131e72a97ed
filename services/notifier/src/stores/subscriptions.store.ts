import {
  scopeLevels,
  type ChannelId,
  type ChannelSubscriptionId,
  type ChannelSubscriptionInput,
  type DivisionId,
  type SubscriptionScopes,
  type TenantId,
} from '@sluice/contracts';
import { problem } from '@sluice/service';
import { sql, type Selectable } from 'kysely';
import type { Database, Tables } from '../database/tables.ts';
import type { Slice } from './channels.store.ts';

/** A subscription; its ids are in `scopes`, with the names that they had. */
export type SubscriptionRow = Pick<
  Selectable<Tables['subscriptions']>,
  'id' | 'channel_id' | 'message_types' | 'scopes' | 'created_at' | 'updated_at'
>;

const columns = ['id', 'channel_id', 'message_types', 'scopes', 'created_at', 'updated_at'] as const;

/** The channel that a subscription belongs to, as its routes need it. */
interface Subscribed {
  id: ChannelId;
  tenant_id: TenantId;
  division_id: DivisionId | null;
}

/** @throws Problem `not_found` */
export async function getSubscription(
  db: Database,
  channelId: ChannelId,
  id: ChannelSubscriptionId,
): Promise<SubscriptionRow> {
  const row = await db
    .selectFrom('subscriptions')
    .select(columns)
    .where('channel_id', '=', channelId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw problem('not_found');
  return row;
}

/** A page of a channel's subscriptions, newest first, and how many there are: the plan keeps them to some dozens. */
export async function listSubscriptions(
  db: Database,
  channelId: ChannelId,
  { offset, results }: Slice,
  messageType: string | undefined,
): Promise<[SubscriptionRow[], number]> {
  const rows = await db
    .selectFrom('subscriptions')
    .select(columns)
    .where('channel_id', '=', channelId)
    .$if(messageType !== undefined, (query) =>
      query.where(sql<boolean>`${messageType ?? ''} = ANY (message_types)`),
    )
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  return [rows.slice(offset, offset + results), rows.length];
}

export async function countSubscriptions(db: Database, channelId: ChannelId): Promise<number> {
  const { count } = await db
    .selectFrom('subscriptions')
    .where('channel_id', '=', channelId)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return count;
}

export async function insertSubscription(
  db: Database,
  channel: Subscribed,
  { message_types, scopes }: ChannelSubscriptionInput,
): Promise<SubscriptionRow> {
  const idsOf = (level: keyof SubscriptionScopes) => scopes[level].map(({ id }) => id as number);
  const row = await db
    .insertInto('subscriptions')
    .values({
      channel_id: channel.id,
      message_types,
      tenant_ids: idsOf('tenants'),
      division_ids: idsOf('divisions'),
      environment_ids: idsOf('environments'),
      deployment_ids: idsOf('deployments'),
      scopes: JSON.stringify(scopes),
    })
    .returning(columns)
    .executeTakeFirstOrThrow();
  await insertRoutes(db, channel, placesOf(channel, scopes), row.id);
  return row;
}

export async function deleteSubscription(db: Database, id: ChannelSubscriptionId): Promise<void> {
  await db.deleteFrom('subscriptions').where('id', '=', id).execute();
}

export async function deleteSubscriptionsOf(db: Database, channelId: ChannelId): Promise<void> {
  await db.deleteFrom('subscriptions').where('channel_id', '=', channelId).execute();
}

/** Gives a channel the route for all events of its owner if it has no subscriptions, and takes it away if it has. */
export async function routeEverything(db: Database, channel: Subscribed): Promise<void> {
  await db
    .deleteFrom('routes')
    .where('channel_id', '=', channel.id)
    .where('subscription_id', 'is', null)
    .execute();
  if ((await countSubscriptions(db, channel.id)) > 0) return;
  await insertRoutes(db, channel, placesOf(channel), null);
}

async function insertRoutes(
  db: Database,
  { id: channel_id, tenant_id }: Subscribed,
  places: string[],
  subscription_id: ChannelSubscriptionId | null,
): Promise<void> {
  await db
    .insertInto('routes')
    .values(places.map((place) => ({ channel_id, tenant_id, place, subscription_id })))
    .execute();
}

/**
 * The narrowest places at which an event has to be to match, of the levels that are named. A division's channel hears of its
 * division alone.
 */
function placesOf({ division_id }: Subscribed, scopes?: SubscriptionScopes): string[] {
  const named = [...scopeLevels].reverse().find((level) => level !== 'tenants' && scopes?.[level].length);
  const level = named ?? 'tenants';
  if (scopes && level !== 'tenants')
    return [...new Set(scopes[level].map(({ id }) => `${level.slice(0, -1)} ${id}`))];
  return [division_id === null ? 'tenant' : `division ${division_id}`];
}
