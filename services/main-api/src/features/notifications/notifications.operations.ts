import { maskSecrets, scopeLevels, type NotificationView } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { created, listed, noContent, ok, pageOf, type Handlers } from '@sluice/http';
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
  const list = async ({ caller, params, query, url }: Call<'listChannels' | 'listDivisionChannels'>) => {
    const page = pageOf(query);
    const [rows, total] = await channels.list(caller, params, query, page);
    return listed(url, page, rows.map(listView), total);
  };
  const get = async ({ caller, params }: Call<'getChannel' | 'getDivisionChannel'>) => {
    const channel = await channels.get(caller, params);
    return ok(detailView(mayChange(caller, params) ? channel : masked(channel)));
  };
  const update = async ({ caller, params, body }: Call<'updateChannel' | 'updateDivisionChannel'>) => {
    await channels.update(caller, params, body);
    return noContent();
  };
  const remove = async ({ caller, params }: Call<'deleteChannel' | 'deleteDivisionChannel'>) => {
    await channels.delete(caller, params);
    return noContent();
  };
  const test = async ({ caller, params }: Call<'testChannel' | 'testDivisionChannel'>) => {
    await channels.test(caller, params);
    return noContent();
  };
  const history = async ({
    caller,
    params,
    query,
    url,
  }: Call<'listNotifications' | 'listDivisionNotifications'>) => {
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
  const create = async ({
    caller,
    params,
    body,
  }: Call<'createChannelSubscription' | 'createDivisionChannelSubscription'>) => {
    const subscription = await subscriptions.create(caller, params, body);
    const location = `${pathOf(params)}/${params.channel_id}/subscriptions/${subscription.id}`;
    return created('subscription', location, subscriptionDetail(subscription));
  };
  const replace = async ({
    caller,
    params,
    body,
  }: Call<'replaceChannelSubscriptions' | 'replaceDivisionChannelSubscriptions'>) => {
    await subscriptions.replace(caller, params, body.subscriptions);
    return noContent();
  };
  const list = async ({
    caller,
    params,
    query,
    url,
  }: Call<'listChannelSubscriptions' | 'listDivisionChannelSubscriptions'>) => {
    const page = pageOf(query);
    const [rows, total] = await subscriptions.list(caller, params, query, page);
    return listed(url, page, rows.map(subscriptionView), total);
  };
  const get = async ({ caller, params }: Call<'getChannelSubscription' | 'getDivisionChannelSubscription'>) =>
    ok(subscriptionDetail(await subscriptions.get(caller, params)));
  const remove = async ({
    caller,
    params,
  }: Call<'deleteChannelSubscription' | 'deleteDivisionChannelSubscription'>) => {
    await subscriptions.delete(caller, params);
    return noContent();
  };
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

function listView({ tenant_id, division_id, ...channel }: ChannelRow): Schemas['Channel'] {
  const { id, channel: kind, name, enabled } = channel;
  return {
    id,
    owner_kind: division_id === null ? 'tenant' : 'division',
    owner_id: division_id ?? tenant_id,
    channel: kind,
    ...{ name, enabled },
    ...timesOf(channel),
  };
}

const timesOf = ({ created_at, updated_at }: Pick<ChannelRow, 'created_at' | 'updated_at'>) => ({
  created_at: created_at.toISOString(),
  updated_at: updated_at.toISOString(),
});

function detailView(channel: OpenedChannel): Schemas['ChannelDetail'] {
  const { destination, settings, remarks, signing_secret } = channel;
  const unsubscribed_at = channel.unsubscribed_at?.toISOString() ?? null;
  return { ...listView(channel), destination, settings, remarks, signing_secret, unsubscribed_at };
}

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

const subscriptionFields = ({ id, channel_id, message_types, ...times }: ChannelSubscriptionRow) => ({
  ...{ id, channel_id, message_types },
  ...timesOf(times),
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
  const levels = scopeLevels.map((level) => [`scope_${level}`, subscription.scopes[level]]);
  return {
    ...subscriptionFields(subscription),
    ...Object.fromEntries(levels),
  } as Schemas['ChannelSubscriptionDetail'];
}
