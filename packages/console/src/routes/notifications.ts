import { createRoute, lazyRouteComponent } from '@tanstack/react-router';
import { defined, text } from './search.ts';
import { tenantRoute } from './tenant.ts';

/** The channels of a tenant. */
export const notificationsRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'notifications',
  component: lazyRouteComponent(() => import('../pages/notifications/channels-page.tsx'), 'ChannelsPage'),
});

/** One channel, with its subscriptions and its history, which can be filtered by type. */
export const channelRoute = createRoute({
  getParentRoute: () => tenantRoute,
  path: 'notifications/$channelId',
  params: {
    parse: ({ channelId }) => ({ channelId: Number(channelId) }),
    stringify: ({ channelId }) => ({ channelId: String(channelId) }),
  },
  validateSearch: (search: Record<string, unknown>) => defined({ type: text(search, 'type') }),
  component: lazyRouteComponent(() => import('../pages/notifications/channel-page.tsx'), 'ChannelPage'),
});
