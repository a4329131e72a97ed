import { maskSecrets, type NotificationView } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { created, done, listed, ok, paged, pageOf, shown, type Handlers } from '@sluice/http';
import type { components, operations } from '../../generated/api.ts';
import type { OwnerPath } from './channel-owner.ts';
import type { ChannelSubscriptionsService } from './channel-subscriptions.service.ts';
import { channelSecretFields } from './channel-rules.ts';
import type { ChannelSubscriptionRow } from './channel-subscriptions.store.ts';
import type { ChannelRow } from './channels.store.ts';
import type { ChannelsService, OpenedChannel } from './channels.service.ts';
import { notificationTypes } from './notification-types.ts';

type Schemas = components['schemas'];
type Call<Id extends keyof operations> = Parameters<Handlers<operations>[Id]>[0];

/** Each operation twice: on the channels of a tenant, and on those of one division. */
export function notificationsOperations(
  channels: ChannelsService,
  subscriptions: ChannelSubscriptionsService,
) {
  return {
    async listNotificationTypes() {
      return ok(notificationTypes);
    },
    ...channelsOperations(channels),
    ...subscriptionsOperations(subscriptions),
  } satisfies Partial<Handlers<operations>>;
}

function channelsOperations(channels: ChannelsService) {
  const create = async ({ caller, params, body }: Call<'createChannel' | 'createDivisionChannel'>) => {
    const channel = await channels.create(caller, params, body);
    return created('channel', `${pathOf(params)}/${channel.id}`, detailView(channel));
  };
  const list = ({ caller, params, query, url }: Call<'listChannels' | 'listDivisionChannels'>) =>
    paged({ query, url }, (page) => channels.list(caller, params, query, page), listView);
  const get = async ({ caller, params }: Call<'getChannel' | 'getDivisionChannel'>) => {
    const channel = await channels.get(caller, params);
    return ok(detailView(mayChange(caller, params) ? channel : masked(channel)));
  };
  const update = ({ caller, params, body, ifMatch }: Call<'updateChannel' | 'updateDivisionChannel'>) =>
    done(channels.update(caller, params, body, (channel) => ifMatch(() => detailView(channel))));
  const remove = ({ caller, params }: Call<'deleteChannel' | 'deleteDivisionChannel'>) =>
    done(channels.delete(caller, params));
  const test = ({ caller, params }: Call<'testChannel' | 'testDivisionChannel'>) =>
    done(channels.test(caller, params));
  type History = Call<'listNotifications' | 'listDivisionNotifications'>;
  const history = async ({ caller, params, query, url }: History) => {
    const page = pageOf(query);
    const { items, total } = await channels.history(caller, params, query, page);
    return listed(url, page, items satisfies NotificationView[], total);
  };
  return {
    createChannel: create,
    createDivisionChannel: create,
    listChannels: list,
    listDivisionChannels: list,
    getChannel: get,
    getDivisionChannel: get,
    updateChannel: update,
    updateDivisionChannel: update,
    deleteChannel: remove,
    deleteDivisionChannel: remove,
    testChannel: test,
    testDivisionChannel: test,
    listNotifications: history,
    listDivisionNotifications: history,
  } satisfies Partial<Handlers<operations>>;
}

function subscriptionsOperations(subscriptions: ChannelSubscriptionsService) {
  type Create = Call<'createChannelSubscription' | 'createDivisionChannelSubscription'>;
  const create = async ({ caller, params, body }: Create) => {
    const subscription = await subscriptions.create(caller, params, body);
    const location = `${pathOf(params)}/${params.channel_id}/subscriptions/${subscription.id}`;
    return created('subscription', location, subscriptionDetail(subscription));
  };
  type Replace = Call<'replaceChannelSubscriptions' | 'replaceDivisionChannelSubscriptions'>;
  const replace = ({ caller, params, body }: Replace) =>
    done(subscriptions.replace(caller, params, body.subscriptions));
  type List = Call<'listChannelSubscriptions' | 'listDivisionChannelSubscriptions'>;
  const list = ({ caller, params, query, url }: List) =>
    paged({ query, url }, (page) => subscriptions.list(caller, params, query, page), subscriptionView);
  const get = async ({ caller, params }: Call<'getChannelSubscription' | 'getDivisionChannelSubscription'>) =>
    ok(subscriptionDetail(await subscriptions.get(caller, params)));
  type Delete = Call<'deleteChannelSubscription' | 'deleteDivisionChannelSubscription'>;
  const remove = ({ caller, params }: Delete) => done(subscriptions.delete(caller, params));
  return {
    createChannelSubscription: create,
    createDivisionChannelSubscription: create,
    replaceChannelSubscriptions: replace,
    replaceDivisionChannelSubscriptions: replace,
    listChannelSubscriptions: list,
    listDivisionChannelSubscriptions: list,
    getChannelSubscription: get,
    getDivisionChannelSubscription: get,
    deleteChannelSubscription: remove,
    deleteDivisionChannelSubscription: remove,
  } satisfies Partial<Handlers<operations>>;
}

function pathOf({ tenant_id, division_id }: OwnerPath): string {
  const division = division_id === undefined ? '' : `/divisions/${division_id}`;
  return `/tenants/${tenant_id}${division}/channels`;
}

const listView = (channel: ChannelRow): Schemas['Channel'] => ({
  ...shown(channel, 'id', 'channel', 'name', 'enabled', 'created_at', 'updated_at'),
  owner_kind: channel.division_id === null ? 'tenant' : 'division',
  owner_id: channel.division_id ?? channel.tenant_id,
});

const detailView = (channel: OpenedChannel): Schemas['ChannelDetail'] => ({
  ...listView(channel),
  ...shown(channel, 'destination', 'settings', 'remarks', 'signing_secret', 'unsubscribed_at'),
});

function mayChange(caller: Caller, { division_id }: OwnerPath): boolean {
  return division_id === undefined
    ? caller.may('tenant', 'notifications:manage')
    : caller.may('division', 'notifications:manage', { division: division_id });
}

/** For callers who may read alone: with the address of a chat they could write there, and headers hold logins. */
function masked(channel: OpenedChannel): OpenedChannel {
  const { destination, settings } = maskSecrets(channel, channelSecretFields);
  const shown = channel.channel === 'email' ? destination : `${new URL(destination).origin}/***`;
  return { ...channel, destination: shown, settings, signing_secret: null };
}

const subscriptionFields = (subscription: ChannelSubscriptionRow) => ({
  ...shown(subscription, 'id', 'channel_id', 'message_types', 'consumer_lag_threshold'),
  ...shown(subscription, 'created_at', 'updated_at'),
});

function subscriptionView(subscription: ChannelSubscriptionRow): Schemas['ChannelSubscription'] {
  const { tenants, divisions } = subscription.scopes;
  return {
    ...subscriptionFields(subscription),
    ...(tenants.length > 0 && { scope_tenants: tenants }),
    ...(divisions.length > 0 && { scope_divisions: divisions }),
  };
}

function subscriptionDetail(subscription: ChannelSubscriptionRow): Schemas['ChannelSubscriptionDetail'] {
  const { tenants, divisions, environments, deployments } = subscription.scopes;
  return {
    ...subscriptionFields(subscription),
    ...{ scope_tenants: tenants, scope_divisions: divisions },
    ...{ scope_environments: environments, scope_deployments: deployments },
  };
}
