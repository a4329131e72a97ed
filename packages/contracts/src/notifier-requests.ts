import { z } from 'zod';
import { notificationStatuses } from './channels.ts';
import {
  channelIdSchema,
  deploymentIdSchema,
  divisionIdSchema,
  environmentIdSchema,
  notificationIdSchema,
  refSchema,
  tenantIdSchema,
} from './ids.ts';
import { causeSchema } from './messages.ts';

/**
 * What main-api asks the notifier, outside of transactions: what only the notifier can look up, and its history. Both seal what they say;
 * main-api has checked that the caller may.
 */

const unsubscribeToken = z.string().max(100);

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

export const notifierRequests = {
  /** Refused with `invalid_request` where messages may not go to this host. */
  check_host: {
    asks: z.object({ tenant_id: tenantIdSchema, host: z.string().min(1).max(1_000) }),
    answers: z.object({}),
  },
  list_notifications: {
    asks: z.object({
      channel_id: channelIdSchema,
      offset: z.int().min(0),
      results: z.int().min(1).max(100),
      message_type: z.string().min(1).max(100).optional(),
    }),
    answers: z.object({ items: z.array(notificationSchema).max(100), total: z.int().min(0) }),
  },
  /** The channel that the token of a link is about; `unsubscribed`: its address has unsubscribed. */
  find_unsubscribe: {
    asks: z.object({ token: unsubscribeToken }),
    answers: z.object({
      tenant_id: tenantIdSchema,
      division_id: divisionIdSchema.nullable(),
      unsubscribed: z.boolean(),
    }),
  },
  /** Has effect at once. `channels`: all mail channels of the tenant to this address. */
  set_unsubscribe: {
    asks: z.object({
      tenant_id: tenantIdSchema,
      division: refSchema(divisionIdSchema).nullable(),
      cause: causeSchema,
      token: unsubscribeToken,
      unsubscribed: z.boolean(),
    }),
    answers: z.object({
      channels: z.array(channelIdSchema).max(10_000),
      unsubscribed_at: z.iso.datetime().nullable(),
    }),
  },
} as const;
export type NotifierRequests = typeof notifierRequests;
