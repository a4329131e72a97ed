import { z } from 'zod';
import {
  channelIdSchema,
  channelSubscriptionIdSchema,
  deploymentIdSchema,
  divisionIdSchema,
  environmentIdSchema,
  tenantIdSchema,
} from './ids.ts';

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

const scopeIds = <Id extends z.ZodType<number>>(id: Id) => z.array(id).max(mostScopeIds);

/** A channel as main-api has it, as far as its deliveries need it. */
const channelStateSchema = z.object({
  tenant_id: tenantIdSchema,
  division_id: divisionIdSchema.nullable(),
  channel: z.enum(channelKinds),
  name: z.string().max(100),
  enabled: z.boolean(),
  /** `channelSecretsSchema` as JSON, with the key that main-api and the notifier share */
  sealed: z.string().max(100_000),
  created_at: z.iso.datetime(),
  /** none: it gets all events of its owner */
  subscriptions: z
    .array(
      z.object({
        id: channelSubscriptionIdSchema,
        message_types: z.array(z.string().min(1).max(100)).min(1).max(100),
        /** of `consumer_lag_high`; absent: the usual one */
        consumer_lag_threshold: z.int().positive().optional(),
        scopes: z.object({
          tenants: scopeIds(tenantIdSchema),
          divisions: scopeIds(divisionIdSchema),
          environments: scopeIds(environmentIdSchema),
          deployments: scopeIds(deploymentIdSchema),
        }),
      }),
    )
    .max(10_000),
});
export type ChannelState = z.infer<typeof channelStateSchema>;
export type ScopeIds = ChannelState['subscriptions'][number]['scopes'];

/** Where messages of a channel go and what opens that: the address of a chat lets anybody write there, headers may hold logins. */
export const channelSecretsSchema = z.object({
  destination: z.string(),
  settings: channelSettingsSchema,
  /** what a webhook's messages are signed with, as Standard Webhooks writes it; null for other kinds */
  signing_secret: z.string().nullable(),
});
export type ChannelSecrets = z.infer<typeof channelSecretsSchema>;

/** What main-api sends the notifier of channels. A message that comes twice or late changes nothing. */
export const channelMessages = {
  /** The channel is in this state; null: it is deleted. The highest version counts. */
  channel_state: z.object({
    channel_id: channelIdSchema,
    version: z.int().positive(),
    state: channelStateSchema.nullable(),
  }),
  /** Send this channel a test message, also where it is not enabled. */
  channel_test: z.object({ channel_id: channelIdSchema, message_id: z.uuid() }),
} as const;
export type ChannelMessageType = keyof typeof channelMessages;
export type ChannelMessage<Type extends ChannelMessageType> = z.infer<(typeof channelMessages)[Type]>;

/** channels in one part of an inventory */
export const mostInventoriedChannels = 1_000;

/** The channels that the notifier has, or a part: those with ids above `after` up to `upto`, or to the end. */
export const channelInventorySchema = z.object({
  after: z.int().min(0),
  upto: channelIdSchema.nullable(),
  channels: z
    .array(
      z.object({
        id: channelIdSchema,
        version: z.int().positive(),
        /** when the address of a mail channel has unsubscribed */
        unsubscribed_at: z.iso.datetime().nullable(),
      }),
    )
    .max(mostInventoriedChannels),
});
export type ChannelInventory = z.infer<typeof channelInventorySchema>;
