import type { ChannelSubscriptionId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf, Page, QueryOf } from '@sluice/http';
import { fieldProblem } from '@sluice/service';
import { requireRoom } from '@sluice/catalogue/features';
import type { Core } from '../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import type { operations } from '../../generated/api.ts';
import { sendChannel } from './channel-messages.ts';
import { changeChannels, ownerOf, type ChannelPath, type OwnerPath } from './channel-owner.ts';
import {
  countSubscriptions,
  deleteSubscriptions,
  getSubscription,
  insertSubscription,
  listSubscriptions,
  type ChannelSubscriptionRow,
  type SubscriptionContent,
} from './channel-subscriptions.store.ts';
import { nameOf } from './channels.service.ts';
import { getChannel } from './channels.store.ts';
import { isNotificationType } from './notification-types.ts';
import { scopesOf, withNames } from './scopes.ts';

type SubscriptionInput = BodyOf<operations['createChannelSubscription']>;
type SubscriptionPath = ChannelPath & { subscription_id: ChannelSubscriptionId };

export type ChannelSubscriptionsService = ReturnType<typeof channelSubscriptionsService>;

const lagTypes = ['consumer_lag_high', 'consumer_lag_high_resolved'];

const limitName = 'notification_subscriptions_limit';

/** The rules of what channels subscribe to (interface, 4.14 and 6.2). */
export function channelSubscriptionsService(core: Core) {
  const { database } = core;
  return {
    async list(
      caller: Caller,
      { channel_id, ...path }: ChannelPath,
      { message_type }: QueryOf<operations['listChannelSubscriptions']>,
      page: Page,
    ): Promise<[ChannelSubscriptionRow[], number]> {
      await getChannel(database, await ownerOf(database, caller, path), channel_id);
      const [rows, total] = await listSubscriptions(database, channel_id, message_type, page);
      return [await withNames(database, path.tenant_id, rows), total];
    },

    async get(
      caller: Caller,
      { channel_id, subscription_id, ...path }: SubscriptionPath,
    ): Promise<ChannelSubscriptionRow> {
      await getChannel(database, await ownerOf(database, caller, path), channel_id);
      const subscription = await getSubscription(database, channel_id, subscription_id);
      const [named = subscription] = await withNames(database, path.tenant_id, [subscription]);
      return named;
    },

    create: (caller: Caller, { channel_id, ...path }: ChannelPath, body: SubscriptionInput) =>
      changeChannels(core, caller, path, async ({ tx, owner, features }) => {
        const channel = await getChannel(tx, owner, channel_id);
        const content = await checked(tx, caller, path, body, '');
        requireRoom(features, limitName, await countSubscriptions(tx, channel_id));
        const subscription = await insertSubscription(tx, channel_id, content);
        const { id: subscription_id, message_types } = subscription;
        const data = { ...nameOf(channel), subscription_id, message_types };
        tx.emit('channel_subscription_created', owner.about, data);
        await sendChannel(tx, core, channel_id);
        return subscription;
      }),

    /** Puts these in the place of all that there are; none: the channel gets everything. */
    replace: (caller: Caller, { channel_id, ...path }: ChannelPath, bodies: SubscriptionInput[]) =>
      changeChannels(core, caller, path, async ({ tx, owner, features }) => {
        const channel = await getChannel(tx, owner, channel_id);
        requireRoom(features, limitName, bodies.length - 1);
        await deleteSubscriptions(tx, channel_id);
        for (const [position, body] of bodies.entries()) {
          const content = await checked(tx, caller, path, body, `subscriptions/${position}/`);
          await insertSubscription(tx, channel_id, content);
        }
        const data = { ...nameOf(channel), subscriptions: bodies.length };
        tx.emit('channel_subscriptions_replaced', owner.about, data);
        await sendChannel(tx, core, channel_id);
      }),

    delete: (caller: Caller, { channel_id, subscription_id, ...path }: SubscriptionPath) =>
      changeChannels(core, caller, path, async ({ tx, owner }) => {
        const channel = await getChannel(tx, owner, channel_id);
        const { message_types } = await getSubscription(tx, channel_id, subscription_id);
        await deleteSubscriptions(tx, channel_id, subscription_id);
        const data = { ...nameOf(channel), subscription_id, message_types };
        tx.emit('channel_subscription_deleted', owner.about, data);
        await sendChannel(tx, core, channel_id);
      }),
  };
}

/** @throws Problem `invalid_request` */
async function checked(
  tx: Transaction,
  caller: Caller,
  path: OwnerPath,
  body: SubscriptionInput,
  place: string,
): Promise<SubscriptionContent> {
  const { message_types, consumer_lag_threshold = null } = body;
  const unknown = message_types.findIndex((type) => !isNotificationType(type));
  if (unknown >= 0)
    throw fieldProblem(
      `${place}message_types/${unknown}`,
      'unknown_type',
      'is no type of event that channels can subscribe to',
    );
  if (consumer_lag_threshold !== null && !message_types.some((type) => lagTypes.includes(type)))
    throw fieldProblem(
      `${place}consumer_lag_threshold`,
      'not_applicable',
      'is for subscriptions to consumer_lag_high or consumer_lag_high_resolved',
    );
  const scopes = await scopesOf(tx, caller, path, body, place);
  return { message_types: [...new Set(message_types)], scopes, consumer_lag_threshold };
}
