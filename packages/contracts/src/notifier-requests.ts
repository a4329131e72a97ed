import { z } from 'zod';
import {
  channelKinds,
  channelSettingsSchema,
  mostScopeIds,
  notificationStatuses,
  type ScopeLevel,
} from './channels.ts';
import {
  channelIdSchema,
  channelSubscriptionIdSchema,
  deploymentIdSchema,
  divisionIdSchema,
  environmentIdSchema,
  notificationIdSchema,
  refSchema,
  tenantIdSchema,
} from './ids.ts';
import { causeSchema } from './messages.ts';

/**
 * What main-api asks the notifier, which keeps the channels of all tenants. Both seal what they say; main-api has
 * decided before whether the caller may, and whether what a scope names is there.
 */

/** Whose channels are meant: the tenant's own, or those of one of its divisions. */
const ownerSchema = z.object({
  tenant_id: tenantIdSchema,
  division: refSchema(divisionIdSchema).nullable(),
});
export type ChannelOwner = z.infer<typeof ownerSchema>;

const changeSchema = ownerSchema.extend({
  cause: causeSchema,
  /** the same for each repetition of a request, so that it has its effect once; null: it is not repeated */
  once: z.string().max(100).nullable(),
});
const pageSchema = { offset: z.int().min(0), results: z.int().min(1).max(100) };
const ofChannel = { channel_id: channelIdSchema };
const limit = z.int().min(0);
const unsubscribeToken = z.string().max(100);
const messageType = z.string().min(1).max(100);

const channelSchema = z.object({
  id: channelIdSchema,
  tenant_id: tenantIdSchema,
  division_id: divisionIdSchema.nullable(),
  channel: z.enum(channelKinds),
  name: z.string(),
  enabled: z.boolean(),
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type ChannelView = z.infer<typeof channelSchema>;

const channelDetailSchema = channelSchema.extend({
  destination: z.string(),
  settings: channelSettingsSchema,
  remarks: z.string().nullable(),
  /** what a webhook's messages are signed with */
  signing_secret: z.string().nullable(),
  /** when the address has unsubscribed; null: it has not */
  unsubscribed_at: z.iso.datetime().nullable(),
});
export type ChannelDetailView = z.infer<typeof channelDetailSchema>;

const scope = <Id extends z.ZodType<number>>(id: Id) => z.array(refSchema(id)).max(mostScopeIds);
const scopesSchema = z.object({
  tenants: scope(tenantIdSchema),
  divisions: scope(divisionIdSchema),
  environments: scope(environmentIdSchema),
  deployments: scope(deploymentIdSchema),
}) satisfies z.ZodType<Record<ScopeLevel, { id: number; name: string }[]>>;
export type SubscriptionScopes = z.infer<typeof scopesSchema>;

const subscriptionInputSchema = z.object({
  message_types: z.array(messageType).min(1).max(100),
  scopes: scopesSchema,
});
export type ChannelSubscriptionInput = z.infer<typeof subscriptionInputSchema>;

const subscriptionSchema = subscriptionInputSchema.extend({
  id: channelSubscriptionIdSchema,
  channel_id: channelIdSchema,
  created_at: z.iso.datetime(),
  updated_at: z.iso.datetime(),
});
export type ChannelSubscriptionView = z.infer<typeof subscriptionSchema>;

const notificationSchema = z.object({
  id: notificationIdSchema,
  tenant_id: tenantIdSchema,
  division_id: divisionIdSchema.nullable(),
  environment_id: environmentIdSchema.nullable(),
  deployment_id: deploymentIdSchema.nullable(),
  message_type: z.string(),
  content: z.string(),
  status: z.enum(notificationStatuses),
  attempts: z.int(),
  reason: z.string().nullable(),
  created_at: z.iso.datetime(),
  delivered_at: z.iso.datetime().nullable(),
});
export type NotificationView = z.infer<typeof notificationSchema>;

const listOf = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item).max(100), total: z.int().min(0) });
const nothing = z.object({});

const channelInputSchema = z.object({
  channel: z.enum(channelKinds),
  name: z.string().min(1).max(100),
  destination: z.string().min(1).max(1_000),
  settings: channelSettingsSchema,
  remarks: z.string().max(500).nullable(),
});
export type ChannelInput = z.infer<typeof channelInputSchema>;

const channelChangesSchema = channelInputSchema
  .omit({ channel: true })
  .extend({ enabled: z.boolean() })
  .partial();
export type ChannelChanges = z.infer<typeof channelChangesSchema>;

/** Whether the tenant's plan lets webhooks have headers and a method of their own. */
const mayCustomize = z.boolean();

export const notifierRequests = {
  list_channels: {
    asks: ownerSchema.extend({ ...pageSchema, channel: z.enum(channelKinds).optional() }),
    answers: listOf(channelSchema),
  },
  get_channel: { asks: ownerSchema.extend(ofChannel), answers: channelDetailSchema },
  create_channel: {
    asks: changeSchema.extend({ input: channelInputSchema, limit, may_customize: mayCustomize }),
    answers: channelDetailSchema,
  },
  update_channel: {
    asks: changeSchema.extend({
      ...ofChannel,
      changes: channelChangesSchema,
      may_customize: mayCustomize,
    }),
    answers: nothing,
  },
  delete_channel: { asks: changeSchema.extend(ofChannel), answers: nothing },
  test_channel: { asks: changeSchema.extend(ofChannel), answers: nothing },
  list_channel_subscriptions: {
    asks: ownerSchema.extend({ ...ofChannel, ...pageSchema, message_type: messageType.optional() }),
    answers: listOf(subscriptionSchema),
  },
  get_channel_subscription: {
    asks: ownerSchema.extend({ ...ofChannel, subscription_id: channelSubscriptionIdSchema }),
    answers: subscriptionSchema,
  },
  create_channel_subscription: {
    asks: changeSchema.extend({ ...ofChannel, input: subscriptionInputSchema, limit }),
    answers: subscriptionSchema,
  },
  replace_channel_subscriptions: {
    asks: changeSchema.extend({ ...ofChannel, inputs: z.array(subscriptionInputSchema).max(1_000), limit }),
    answers: nothing,
  },
  delete_channel_subscription: {
    asks: changeSchema.extend({ ...ofChannel, subscription_id: channelSubscriptionIdSchema }),
    answers: nothing,
  },
  list_notifications: {
    asks: ownerSchema.extend({ ...ofChannel, ...pageSchema, message_type: messageType.optional() }),
    answers: listOf(notificationSchema),
  },
  /** whose channel the token of a link is about, and whether its address has unsubscribed */
  find_unsubscribe: {
    asks: z.object({ token: unsubscribeToken }),
    answers: z.object({
      tenant_id: tenantIdSchema,
      division_id: divisionIdSchema.nullable(),
      unsubscribed: z.boolean(),
    }),
  },
  set_unsubscribe: {
    asks: changeSchema.extend({ token: unsubscribeToken, unsubscribed: z.boolean() }),
    answers: nothing,
  },
} as const;
export type NotifierRequests = typeof notifierRequests;
