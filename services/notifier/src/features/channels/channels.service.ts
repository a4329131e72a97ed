import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  maskSecrets,
  testMessageType,
  type ChannelDetailView,
  type ChannelOwner,
  type ChannelView,
  type NotificationView,
  type NotifierRequests,
} from '@sluice/contracts';
import type { Asked } from '@sluice/messaging';
import { problem } from '@sluice/service';
import type { Destinations } from '@sluice/system/destinations';
import type { Change } from '../../changes.ts';
import type { Database } from '../../database/tables.ts';
import {
  beginTest,
  countChannels,
  deleteChannel,
  getChannel,
  insertChannel,
  listChannels,
  updateChannel,
  type ChannelRow,
} from '../../stores/channels.store.ts';
import { listNotifications, notifyChannel, type NotificationRow } from '../../stores/notifications.store.ts';
import { routeEverything } from '../../stores/subscriptions.store.ts';
import { findUnsubscribe } from '../../stores/unsubscribes.store.ts';
import { checkDestination, checkLimit, checkPlan, checkSettings, withSecrets } from './channel-rules.ts';
import { channelSecretFields, newSigningSecret, type ChannelVault } from './channel-secrets.ts';

type Of<Name extends keyof NotifierRequests> = Asked<NotifierRequests, Name>;

/** a channel is tested at most once in so many seconds (interface, 6.2) */
const testSeconds = 10;

export interface ChannelsDependencies {
  database: Database;
  change: Change;
  vault: ChannelVault;
  destinations: Destinations;
  /** called when something may be due */
  wake: () => void;
}
export type ChannelsService = ReturnType<typeof channelsService>;

/** The rules of notification channels (interface, 4.14). */
export function channelsService({ database, change, vault, destinations, wake }: ChannelsDependencies) {
  const detail = async (channel: ChannelRow): Promise<ChannelDetailView> => {
    const { destination, settings, signing_secret } = await vault.open(channel.sealed);
    const recipient = { tenantId: channel.tenant_id, address: destination };
    const unsubscribedAt = channel.channel === 'email' && (await findUnsubscribe(database, recipient));
    return {
      ...viewOf(channel),
      ...{ destination, settings, remarks: channel.remarks, signing_secret },
      unsubscribed_at: unsubscribedAt ? unsubscribedAt.toISOString() : null,
    };
  };
  return {
    async list({ offset, results, channel, ...owner }: Of<'list_channels'>) {
      const [rows, total] = await listChannels(database, owner, { offset, results }, channel);
      return { items: rows.map(viewOf), total };
    },

    get: async ({ channel_id, ...owner }: Of<'get_channel'>) =>
      detail(await getChannel(database, owner, channel_id)),

    /** @throws Problem `limit_reached`, `name_taken`, `feature_not_available`, `invalid_request` */
    async create({ input, limit, may_customize, ...asked }: Of<'create_channel'>, until: Date) {
      const { channel: kind, destination, settings, ...fields } = input;
      checkSettings(kind, settings);
      checkPlan(settings, may_customize);
      await checkDestination(kind, destination, destinations.of(`tenant ${asked.tenant_id}`));
      withSecrets({ destination, settings }, undefined);
      const signing_secret = kind === 'webhook' ? newSigningSecret() : null;
      const sealed = await vault.seal({ destination, settings, signing_secret });
      const id = await change(asked, until, async (tx) => {
        checkLimit('notification_channels_limit', limit, (await countChannels(tx.db, asked.tenant_id)) + 1);
        const channel = await insertChannel(tx.db, {
          ...fields,
          channel: kind,
          sealed,
          tenant_id: asked.tenant_id,
          division_id: asked.division?.id ?? null,
        });
        await routeEverything(tx.db, channel);
        tx.emit('channel_created', aboutOf(asked), nameOf(channel));
        return channel.id;
      });
      return await detail(await getChannel(database, asked, id));
    },

    /** @throws Problem `not_found`, `name_taken`, `feature_not_available`, `invalid_request` */
    async update({ channel_id, changes, may_customize, ...asked }: Of<'update_channel'>, until: Date) {
      // the kind of a channel stays what it is
      const { channel: kind } = await getChannel(database, asked, channel_id);
      if (changes.settings) checkSettings(kind, changes.settings);
      if (changes.settings) checkPlan(changes.settings, may_customize);
      if (changes.destination)
        await checkDestination(kind, changes.destination, destinations.of(`tenant ${asked.tenant_id}`));
      await change(asked, until, async (tx) => {
        const channel = await getChannel(tx.db, asked, channel_id);
        const before = await vault.open(channel.sealed);
        // what a change leaves out is kept as a secret is that is sent as ***
        const left = maskSecrets(before, channelSecretFields);
        const { destination = left.destination, settings = left.settings } = changes;
        const secrets = withSecrets({ ...before, destination, settings }, before);
        const { name, enabled, remarks } = { ...channel, ...definedOf(changes) };
        const told = differences(
          { ...channel, ...before },
          { name, enabled, remarks, destination: secrets.destination, settings: secrets.settings },
        );
        if (Object.keys(told.changes).length === 0) return;
        const sealed = isDeepStrictEqual(secrets, before) ? channel.sealed : await vault.seal(secrets);
        await updateChannel(tx.db, channel_id, { name, enabled, remarks, sealed });
        tx.emit('channel_updated', aboutOf(asked), { ...nameOf(channel), name, ...told });
      });
      return {};
    },

    /** @throws Problem `not_found` */
    async delete({ channel_id, ...asked }: Of<'delete_channel'>, until: Date) {
      await change(asked, until, async (tx) => {
        const channel = await getChannel(tx.db, asked, channel_id);
        await deleteChannel(tx.db, channel_id);
        tx.emit('channel_deleted', aboutOf(asked), nameOf(channel));
      });
      return {};
    },

    /** Sends a message also where the channel is not enabled. @throws Problem `not_found`, `channel_test_throttled` */
    async test({ channel_id, ...asked }: Of<'test_channel'>, until: Date) {
      await change(asked, until, async (tx) => {
        const channel = await getChannel(tx.db, asked, channel_id);
        const rest = await beginTest(tx.db, channel_id, testSeconds);
        if (rest > 0) throw problem('channel_test_throttled', { headers: { 'retry-after': String(rest) } });
        const about = { tenantId: asked.tenant_id, type: testMessageType, messageId: randomUUID() };
        await notifyChannel(tx.db, channel_id, about, testMessage(channel));
        tx.emit('channel_tested', aboutOf(asked), nameOf(channel));
      });
      wake();
      return {};
    },

    /** @throws Problem `not_found` */
    async history({ channel_id, message_type, offset, results, ...owner }: Of<'list_notifications'>) {
      await getChannel(database, owner, channel_id);
      const [rows, total] = await listNotifications(database, channel_id, { offset, results }, message_type);
      return { items: rows.map(notificationView), total };
    },
  };
}

/** Whom events about an owner's channels are about. */
export const aboutOf = ({ tenant_id, division }: ChannelOwner) => ({ tenant_id, division });

export const nameOf = ({ id, channel, name }: Pick<ChannelRow, 'id' | 'channel' | 'name'>) => ({
  channel_id: id,
  channel,
  name,
});

function viewOf({ id, tenant_id, division_id, channel, name, enabled, ...times }: ChannelRow): ChannelView {
  return {
    ...{ id, tenant_id, division_id, channel, name, enabled },
    created_at: times.created_at.toISOString(),
    updated_at: times.updated_at.toISOString(),
  };
}

function notificationView(row: NotificationRow): NotificationView {
  const { id, tenant_id, division_id, environment_id, deployment_id, message_type, message } = row;
  return {
    ...{ id, tenant_id, division_id, environment_id, deployment_id, message_type },
    content: `${message.subject}\n\n${message.body}`,
    status: row.status,
    attempts: row.attempts,
    reason: row.reason,
    created_at: row.created_at.toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
  };
}

const testMessage = ({ name }: ChannelRow) => ({
  subject: 'Test message from Sluice',
  body: `Somebody has tested the notification channel “${name}”. It works: nothing else has to be done.`,
  facts: [{ name: 'Channel', value: name }],
});

const secret = ['destination', 'settings'];

/** What the event of an update tells: new values and those before, of what may be secret only that there was another. */
function differences<Fields extends object>(before: Fields, after: Partial<Fields>) {
  const names = (Object.keys(after) as (keyof Fields & string)[]).filter(
    (name) => !isDeepStrictEqual(before[name], after[name]),
  );
  const told = (values: Partial<Fields>) =>
    Object.fromEntries(
      names.map((name): [string, unknown] => [name, secret.includes(name) ? '***' : values[name]]),
    );
  return { changes: told(after), former: told(before) };
}

const definedOf = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as {
    [Name in keyof Fields]-?: Exclude<Fields[Name], undefined>;
  };
