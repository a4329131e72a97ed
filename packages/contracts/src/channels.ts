import { z } from 'zod';

/** What notifications go to (interface, 2.15 and 6.2). */
export const channelKinds = ['chat', 'webhook', 'email'] as const;
export type ChannelKind = (typeof channelKinds)[number];

/** how a webhook is called; without settings it is posted to */
export const webhookMethods = ['POST', 'PUT', 'PATCH'] as const;

const optionalText = (most: number) => z.string().min(1).max(most).optional();

/** How messages to a channel look, under the key of its kind. */
export const channelSettingsSchema = z.strictObject({
  chat: z
    .strictObject({
      channel: optionalText(100),
      username: optionalText(100),
      icon_emoji: optionalText(100),
    })
    .optional(),
  webhook: z
    .strictObject({
      headers: z.record(z.string().max(100), z.string().max(1_000)).optional(),
      method: z.enum(webhookMethods).optional(),
    })
    .optional(),
});
export type ChannelSettings = z.infer<typeof channelSettingsSchema>;

/** the levels that a subscription can be narrowed to, from the widest to the narrowest */
export const scopeLevels = ['tenants', 'divisions', 'environments', 'deployments'] as const;
export type ScopeLevel = (typeof scopeLevels)[number];

/** ids that a subscription names at one level */
export const mostScopeIds = 100;

/** whether a notification has reached its destination; `throttled`: another one of its kind went there shortly before */
export const notificationStatuses = ['pending', 'delivered', 'failed', 'throttled'] as const;
export type NotificationStatus = (typeof notificationStatuses)[number];

/** the message type of what `POST …/test` sends, which no event has */
export const testMessageType = 'channel_test';
