import type { ChannelSubscriptionView, NotifierRequests } from '@sluice/contracts';
import type { Asked } from '@sluice/messaging';
import type { Change } from '../../changes.ts';
import type { Database } from '../../database/tables.ts';
import { getChannel } from '../../stores/channels.store.ts';
import {
  countSubscriptions,
  deleteSubscription,
  deleteSubscriptionsOf,
  getSubscription,
  insertSubscription,
  listSubscriptions,
  routeEverything,
  type SubscriptionRow,
} from '../../stores/subscriptions.store.ts';
import { checkLimit } from './channel-rules.ts';
import { aboutOf, nameOf } from './channels.service.ts';

type Of<Name extends keyof NotifierRequests> = Asked<NotifierRequests, Name>;

export interface SubscriptionsDependencies {
  database: Database;
  change: Change;
}
export type SubscriptionsService = ReturnType<typeof subscriptionsService>;

const limitName = 'notification_subscriptions_limit';

/** The rules of what channels are told of (interface, 4.14 and 6.2). Whether what a scope names is there, main-api has looked. */
export function subscriptionsService({ database, change }: SubscriptionsDependencies) {
  return {
    /** @throws Problem `not_found` */
    async list({ channel_id, message_type, offset, results, ...owner }: Of<'list_channel_subscriptions'>) {
      await getChannel(database, owner, channel_id);
      const [rows, total] = await listSubscriptions(database, channel_id, { offset, results }, message_type);
      return { items: rows.map(viewOf), total };
    },

    /** @throws Problem `not_found` */
    async get({ channel_id, subscription_id, ...owner }: Of<'get_channel_subscription'>) {
      await getChannel(database, owner, channel_id);
      return viewOf(await getSubscription(database, channel_id, subscription_id));
    },

    /** @throws Problem `not_found`, `limit_reached` */
    async create({ channel_id, input, limit, ...asked }: Of<'create_channel_subscription'>, until: Date) {
      const id = await change(asked, until, async (tx) => {
        const channel = await getChannel(tx.db, asked, channel_id);
        checkLimit(limitName, limit, (await countSubscriptions(tx.db, channel_id)) + 1);
        const subscription = await insertSubscription(tx.db, channel, input);
        await routeEverything(tx.db, channel);
        const { message_types } = input;
        const told = { ...nameOf(channel), subscription_id: subscription.id, message_types };
        tx.emit('channel_subscription_created', aboutOf(asked), told);
        return subscription.id;
      });
      return viewOf(await getSubscription(database, channel_id, id));
    },

    /** Puts these in the place of all that there are; none: the channel is told of everything. @throws the same */
    async replace({ channel_id, inputs, limit, ...asked }: Of<'replace_channel_subscriptions'>, until: Date) {
      await change(asked, until, async (tx) => {
        const channel = await getChannel(tx.db, asked, channel_id);
        checkLimit(limitName, limit, inputs.length);
        await deleteSubscriptionsOf(tx.db, channel_id);
        for (const input of inputs) await insertSubscription(tx.db, channel, input);
        await routeEverything(tx.db, channel);
        const told = { ...nameOf(channel), subscriptions: inputs.length };
        tx.emit('channel_subscriptions_replaced', aboutOf(asked), told);
      });
      return {};
    },

    /** @throws Problem `not_found` */
    async delete({ channel_id, subscription_id, ...asked }: Of<'delete_channel_subscription'>, until: Date) {
      await change(asked, until, async (tx) => {
        const channel = await getChannel(tx.db, asked, channel_id);
        const { message_types } = await getSubscription(tx.db, channel_id, subscription_id);
        await deleteSubscription(tx.db, subscription_id);
        await routeEverything(tx.db, channel);
        const told = { ...nameOf(channel), subscription_id, message_types };
        tx.emit('channel_subscription_deleted', aboutOf(asked), told);
      });
      return {};
    },
  };
}

function viewOf(row: SubscriptionRow): ChannelSubscriptionView {
  const { id, channel_id, message_types, scopes, created_at, updated_at } = row;
  return {
    ...{ id, channel_id, message_types, scopes },
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
