import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import {
  channelSecretsSchema,
  maskSecrets,
  type ChannelSecrets,
  type ChannelSettings,
  type Features,
} from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf, Page, QueryOf } from '@sluice/http';
import { problem } from '@sluice/service';
import { requireCapability, requireRoom } from '@sluice/catalogue/features';
import { changeOf, changesTo, withoutNulls } from '../../changes.ts';
import type { Core } from '../../core.ts';
import type { operations } from '../../generated/api.ts';
import { sendChannel, sendDeleted } from './channel-messages.ts';
import { changeChannels, ownerOf, type ChannelPath, type OwnerPath } from './channel-owner.ts';
import {
  channelSecretFields,
  checkDestination,
  checkSettings,
  isCustomized,
  newSigningSecret,
  withSecrets,
} from './channel-rules.ts';
import {
  beginTest,
  countChannels,
  deleteChannels,
  getChannel,
  insertChannel,
  listChannels,
  updateChannel,
  type ChannelRow,
} from './channels.store.ts';

type ChannelInput = BodyOf<operations['createChannel']>;
type ChannelChanges = BodyOf<operations['updateChannel']>;
type SettingsInput = ChannelInput['settings'];

/** A channel with its secrets in clear. */
export type OpenedChannel = ChannelRow & ChannelSecrets;

export type ChannelsService = ReturnType<typeof channelsService>;

/** a channel is tested at most once in so many seconds (interface, 6.2) */
const testSeconds = 10;

/** The rules of notification channels (interface, 4.14). */
export function channelsService(core: Core) {
  const { database, notifier, secrets } = core;
  const open = async (channel: ChannelRow): Promise<OpenedChannel> => ({
    ...channel,
    ...channelSecretsSchema.parse(JSON.parse(await secrets.open(channel.sealed_secrets))),
  });
  const seal = (content: ChannelSecrets) => secrets.seal(JSON.stringify(content));
  return {
    list: async (
      caller: Caller,
      path: OwnerPath,
      { channel }: QueryOf<operations['listChannels']>,
      page: Page,
    ) => listChannels(database, await ownerOf(database, caller, path), channel, page),

    get: async (caller: Caller, { channel_id, ...path }: ChannelPath) =>
      open(await getChannel(database, await ownerOf(database, caller, path), channel_id)),

    async create(caller: Caller, path: OwnerPath, input: ChannelInput): Promise<OpenedChannel> {
      const { channel: kind, name, destination, remarks = null } = input;
      const settings = settingsOf(input.settings);
      checkSettings(kind, settings);
      await checkDestination(notifier, path.tenant_id, kind, destination);
      withSecrets({ destination, settings }, undefined);
      const content = {
        destination,
        settings,
        signing_secret: kind === 'webhook' ? newSigningSecret() : null,
      };
      return await changeChannels(core, caller, path, async ({ tx, owner, features }) => {
        const { tenant_id, division_id } = owner;
        checkPlan(features, settings);
        requireRoom(features, 'notification_channels_limit', await countChannels(tx, tenant_id));
        const sealed_secrets = await seal(content);
        const row = { tenant_id, division_id, channel: kind, name, sealed_secrets, remarks };
        const channel = await insertChannel(tx, row);
        tx.emit('channel_created', owner.about, nameOf(channel));
        await sendChannel(tx, core, channel.id);
        return { ...channel, ...content };
      });
    },

    /** @param check is given it as it is */
    async update(
      caller: Caller,
      { channel_id, ...path }: ChannelPath,
      wanted: ChannelChanges,
      check: (channel: OpenedChannel) => void,
    ): Promise<void> {
      // the kind of a channel stays what it is
      const owned = await ownerOf(database, caller, path);
      const { channel: kind } = await getChannel(database, owned, channel_id);
      const settings = wanted.settings === undefined ? undefined : settingsOf(wanted.settings);
      const destination = wanted.destination ?? undefined;
      if (settings) checkSettings(kind, settings);
      if (destination !== undefined) await checkDestination(notifier, path.tenant_id, kind, destination);
      await changeChannels(core, caller, path, async ({ tx, owner, features }) => {
        const channel = await open(await getChannel(tx, owner, channel_id));
        check(channel);
        if (settings) checkPlan(features, settings);
        const before = { destination: channel.destination, settings: channel.settings };
        // what a change leaves out is kept as a secret is that is sent as ***
        const kept = maskSecrets(before, channelSecretFields);
        const after = withSecrets(
          { destination: destination ?? kept.destination, settings: settings ?? kept.settings },
          before,
        );
        const { name, enabled, remarks } = wanted;
        const changes = changesTo<ChannelRow>(channel, { name, enabled, remarks }, ['remarks']);
        const resealed = (['destination', 'settings'] as const).filter(
          (field) => !isDeepStrictEqual(after[field], before[field]),
        );
        if (Object.keys(changes).length + resealed.length === 0) return;
        const { signing_secret } = channel;
        const sealed = resealed.length > 0 && { sealed_secrets: await seal({ ...after, signing_secret }) };
        await updateChannel(tx, channel_id, { ...changes, ...sealed });
        const change = changeOf<ChannelRow>(channel, changes);
        for (const field of resealed) change.changes[field] = change.former[field] = '***';
        tx.emit('channel_updated', owner.about, { ...nameOf({ ...channel, ...changes }), ...change });
        await sendChannel(tx, core, channel_id);
      });
    },

    delete: (caller: Caller, { channel_id, ...path }: ChannelPath) =>
      changeChannels(core, caller, path, async ({ tx, owner }) => {
        const channel = await getChannel(tx, owner, channel_id);
        sendDeleted(tx, await deleteChannels(tx, { id: channel_id }));
        tx.emit('channel_deleted', owner.about, nameOf(channel));
      }),

    /** Sends a message also where the channel is not enabled. */
    test: (caller: Caller, { channel_id, ...path }: ChannelPath) =>
      changeChannels(core, caller, path, async ({ tx, owner }) => {
        const channel = await getChannel(tx, owner, channel_id);
        const rest = await beginTest(tx, channel_id, testSeconds);
        if (rest > 0) throw problem('channel_test_throttled', { headers: { 'retry-after': String(rest) } });
        tx.channel('channel_test', { channel_id, message_id: randomUUID() });
        tx.emit('channel_tested', owner.about, nameOf(channel));
      }),

    async history(
      caller: Caller,
      { channel_id, ...path }: ChannelPath,
      { message_type }: QueryOf<operations['listNotifications']>,
      { offset, results }: Page,
    ) {
      await getChannel(database, await ownerOf(database, caller, path), channel_id);
      return await notifier('list_notifications', { channel_id, message_type, offset, results });
    },
  };
}

export const nameOf = ({ id, channel, name }: Pick<ChannelRow, 'id' | 'channel' | 'name'>) => ({
  channel_id: id,
  channel,
  name,
});

/** @throws Problem `feature_not_available` where the plan has webhooks as they are alone */
function checkPlan(features: Features, settings: ChannelSettings): void {
  if (isCustomized(settings)) requireCapability(features, 'advanced_notification_channels_enabled');
}

/** Settings as they are stored. */
const settingsOf = (given: SettingsInput) => withoutNulls(given ?? {}) as ChannelSettings;
