import type { ChannelSettings } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf, Page, QueryOf } from '@sluice/http';
import type { Core } from '../../core.ts';
import type { operations } from '../../generated/api.ts';
import { changeChannels, ownerOf, type ChannelPath, type OwnerPath } from './channel-owner.ts';

type ChannelInput = BodyOf<operations['createChannel']>;
type ChannelChanges = BodyOf<operations['updateChannel']>;
type SettingsInput = ChannelInput['settings'];

export type ChannelsService = ReturnType<typeof channelsService>;

/** The rules of notification channels (interface, 4.14) as far as they need what main-api knows; the notifier keeps them. */
export function channelsService(core: Core) {
  const { database, notifier } = core;
  return {
    list: async (
      caller: Caller,
      path: OwnerPath,
      { channel }: QueryOf<operations['listChannels']>,
      { offset, results }: Page,
    ) => {
      const owner = await ownerOf(database, caller, path);
      return await notifier.ask('list_channels', { ...owner, channel, offset, results });
    },

    /** @throws Problem `not_found` */
    get: async (caller: Caller, { channel_id, ...path }: ChannelPath) =>
      notifier.ask('get_channel', { ...(await ownerOf(database, caller, path)), channel_id }),

    /** @throws Problem `limit_reached`, `name_taken`, `feature_not_available`, `invalid_request` */
    create: (caller: Caller, path: OwnerPath, { settings, remarks = null, ...fields }: ChannelInput) =>
      changeChannels(core, caller, path, ({ owner, features }) =>
        notifier.change(caller, 'create_channel', owner, {
          input: { ...fields, settings: settingsOf(settings), remarks },
          limit: features.notification_channels_limit,
          may_customize: features.advanced_notification_channels_enabled,
        }),
      ),

    /** @throws Problem `not_found`, `name_taken`, `feature_not_available`, `invalid_request` */
    update: (caller: Caller, { channel_id, ...path }: ChannelPath, wanted: ChannelChanges) =>
      changeChannels(core, caller, path, async ({ owner, features }) => {
        const { settings, remarks, ...fields } = wanted;
        const given = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined);
        const changes = {
          ...Object.fromEntries(given),
          ...(settings !== undefined && { settings: settingsOf(settings) }),
          ...(remarks !== undefined && { remarks }),
        };
        const may_customize = features.advanced_notification_channels_enabled;
        await notifier.change(caller, 'update_channel', owner, { channel_id, changes, may_customize });
      }),

    /** @throws Problem `not_found` */
    delete: (caller: Caller, { channel_id, ...path }: ChannelPath) =>
      changeChannels(core, caller, path, async ({ owner }) => {
        await notifier.change(caller, 'delete_channel', owner, { channel_id });
      }),

    /** @throws Problem `not_found`, `channel_test_throttled` */
    test: (caller: Caller, { channel_id, ...path }: ChannelPath) =>
      changeChannels(core, caller, path, async ({ owner }) => {
        await notifier.change(caller, 'test_channel', owner, { channel_id });
      }),

    /** @throws Problem `not_found` */
    history: async (
      caller: Caller,
      { channel_id, ...path }: ChannelPath,
      { message_type }: QueryOf<operations['listNotifications']>,
      { offset, results }: Page,
    ) => {
      const owner = await ownerOf(database, caller, path);
      return await notifier.ask('list_notifications', {
        ...owner,
        channel_id,
        message_type,
        offset,
        results,
      });
    },
  };
}

/** Settings as they are stored: what is null in them is left out. */
function settingsOf(given: SettingsInput): ChannelSettings {
  return withoutNulls(given ?? {});
}

function withoutNulls(value: object): object {
  const kept = Object.entries(value).filter(([, inner]) => inner !== null && inner !== undefined);
  return Object.fromEntries(
    kept.map(([name, inner]: [string, unknown]) => [
      name,
      typeof inner === 'object' && inner !== null ? withoutNulls(inner) : inner,
    ]),
  );
}
