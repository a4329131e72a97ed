import type { NotifierRequests } from '@sluice/contracts';
import type { RequestHandlers } from '@sluice/messaging';
import type { ChannelsService } from './features/channels/channels.service.ts';
import type { UnsubscribesService } from './features/unsubscribes/unsubscribes.service.ts';
import type { SubscriptionsService } from './features/channels/subscriptions.service.ts';

/** What main-api can ask: each request and the rule that answers it. */
export function requestHandlers(
  channels: ChannelsService,
  subscriptions: SubscriptionsService,
  unsubscribes: UnsubscribesService,
): RequestHandlers<NotifierRequests> {
  return {
    list_channels: (asked) => channels.list(asked),
    get_channel: (asked) => channels.get(asked),
    create_channel: (asked, until) => channels.create(asked, until),
    update_channel: (asked, until) => channels.update(asked, until),
    delete_channel: (asked, until) => channels.delete(asked, until),
    test_channel: (asked, until) => channels.test(asked, until),
    list_notifications: (asked) => channels.history(asked),
    list_channel_subscriptions: (asked) => subscriptions.list(asked),
    get_channel_subscription: (asked) => subscriptions.get(asked),
    create_channel_subscription: (asked, until) => subscriptions.create(asked, until),
    replace_channel_subscriptions: (asked, until) => subscriptions.replace(asked, until),
    find_unsubscribe: (asked) => unsubscribes.find(asked),
    set_unsubscribe: (asked, until) => unsubscribes.set(asked, until),
    delete_channel_subscription: (asked, until) => subscriptions.delete(asked, until),
  };
}
