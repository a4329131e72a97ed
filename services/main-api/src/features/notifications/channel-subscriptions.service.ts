import { type ChannelSubscriptionId, type ChannelSubscriptionInput } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf, Page, QueryOf } from '@sluice/http';
import { fieldProblem } from '@sluice/service';
import type { Core } from '../../core.ts';
import type { Transaction } from '../../database.ts';
import type { operations } from '../../generated/api.ts';
import { changeChannels, ownerOf, type ChannelPath, type OwnerPath } from './channel-owner.ts';
import { isNotificationType } from './notification-types.ts';
import { scopesOf, withNames } from './scopes.ts';

type SubscriptionInput = BodyOf<operations['createChannelSubscription']>;
type SubscriptionPath = ChannelPath & { subscription_id: ChannelSubscriptionId };

export type ChannelSubscriptionsService = ReturnType<typeof channelSubscriptionsService>;

/** Of what channels are told (interface, 4.14 and 6.2), as far as that needs what main-api knows. */
export function channelSubscriptionsService(core: Core) {
  const { database, notifier } = core;
  return {
    /** @throws Problem `not_found` */
    list: async (
      caller: Caller,
      { channel_id, ...path }: ChannelPath,
      { message_type }: QueryOf<operations['listChannelSubscriptions']>,
      { offset, results }: Page,
    ) => {
      const owner = await ownerOf(database, caller, path);
      const asked = { ...owner, channel_id, message_type, offset, results };
      const { items, total } = await notifier.ask('list_channel_subscriptions', asked);
      return { items: await withNames(database, path.tenant_id, items), total };
    },

    /** @throws Problem `not_found` */
    get: async (caller: Caller, { channel_id, subscription_id, ...path }: SubscriptionPath) => {
      const owner = await ownerOf(database, caller, path);
      const asked = { ...owner, channel_id, subscription_id };
      const subscription = await notifier.ask('get_channel_subscription', asked);
      const [named = subscription] = await withNames(database, path.tenant_id, [subscription]);
      return named;
    },

    /** @throws Problem `not_found`, `limit_reached`; `invalid_request` for types and ids that are none */
    create: (caller: Caller, { channel_id, ...path }: ChannelPath, body: SubscriptionInput) =>
      changeChannels(core, caller, path, async ({ tx, owner, features }) =>
        notifier.change(caller, 'create_channel_subscription', owner, {
          channel_id,
          input: await checked(tx, caller, path, body, ''),
          limit: features.notification_subscriptions_limit,
        }),
      ),

    /** Puts these in the place of all that there are. @throws the same */
    replace: (caller: Caller, { channel_id, ...path }: ChannelPath, bodies: SubscriptionInput[]) =>
      changeChannels(core, caller, path, async ({ tx, owner, features }) => {
        const limit = features.notification_subscriptions_limit;
        const inputs: ChannelSubscriptionInput[] = [];
        // more than the limit is refused for that
        for (const [position, body] of bodies.slice(0, limit).entries())
          inputs.push(await checked(tx, caller, path, body, `subscriptions/${position}/`));
        const all = bodies.length > limit ? [...inputs, ...bodies.slice(limit).map(unchecked)] : inputs;
        await notifier.change(caller, 'replace_channel_subscriptions', owner, {
          channel_id,
          inputs: all,
          limit,
        });
      }),

    /** @throws Problem `not_found` */
    delete: (caller: Caller, { channel_id, subscription_id, ...path }: SubscriptionPath) =>
      changeChannels(core, caller, path, async ({ owner }) => {
        const asked = { channel_id, subscription_id };
        await notifier.change(caller, 'delete_channel_subscription', owner, asked);
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
): Promise<ChannelSubscriptionInput> {
  const { message_types } = body;
  const unknown = message_types.findIndex((type) => !isNotificationType(type));
  if (unknown >= 0)
    throw fieldProblem(
      `${place}message_types/${unknown}`,
      'unknown_type',
      'is no type of event to be told of',
    );
  const scopes = await scopesOf(tx, caller, path, body, place);
  return { message_types: [...new Set(message_types)], scopes };
}

/** What only counts, since there are too many. */
const unchecked = ({ message_types }: SubscriptionInput): ChannelSubscriptionInput => ({
  message_types: message_types.slice(0, 1),
  scopes: { tenants: [], divisions: [], environments: [], deployments: [] },
});
