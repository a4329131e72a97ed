import {
  getChannel,
  listChannels,
  listChannelSubscriptions,
  listNotifications,
  listNotificationTypes,
} from '@sluice/client';
import { sluice as client } from '@sluice/console-core/api/client.ts';
import { keyOf } from '@sluice/console-core/api/keys.ts';
import { readPages } from '@sluice/console-core/api/pages.ts';
import { queryClient, read } from '@sluice/console-core/api/query-client.ts';

// the kind of the change feed
const key = (tenantId: number, ...rest: readonly unknown[]) => keyOf('main', tenantId, 'channel', ...rest);

/** Reads all of the channels again, after a change. */
export const refreshChannels = (tenantId: number) =>
  queryClient.invalidateQueries({ queryKey: key(tenantId) });

export const channelsQuery = (tenant_id: number) =>
  readPages(key(tenant_id, 'list'), ({ query, signal }) =>
    listChannels({ client, path: { tenant_id }, query, signal }),
  );

export const channelQuery = (tenant_id: number, channel_id: number) =>
  read(key(tenant_id, 'detail', channel_id), (signal) =>
    getChannel({ client, path: { tenant_id, channel_id }, signal }),
  );

export const subscriptionsQuery = (tenant_id: number, channel_id: number) =>
  read(key(tenant_id, 'subscriptions', channel_id), (signal) =>
    listChannelSubscriptions({
      client,
      path: { tenant_id, channel_id },
      query: { results: 100 },
      signal,
    }),
  );

/** The change feed does not tell of what is sent. */
export const historyQuery = (tenant_id: number, channel_id: number, type: string | undefined) => ({
  ...readPages(key(tenant_id, 'history', channel_id, type), ({ query, signal }) =>
    listNotifications({
      client,
      path: { tenant_id, channel_id },
      query: { ...query, ...(type !== undefined && { message_type: type }) },
      signal,
    }),
  ),
  refetchInterval: 5000,
});

export const typesQuery = {
  ...read(keyOf('main', null, 'notification_type'), (signal) => listNotificationTypes({ client, signal })),
  staleTime: Number.POSITIVE_INFINITY,
};
