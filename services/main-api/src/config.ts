import { feedSettings } from '@sluice/http';
import type { StreamSettings } from '@sluice/runtime';
import { signingServiceEnvironment } from '@sluice/service';
import { secretKeysSchema } from '@sluice/system/secrets';
import { z } from 'zod';
import type { SessionTimes } from './core.ts';
import { invoiceSettings } from '@sluice/billing/seller';
import { providersSchema } from '@sluice/sign-in/provider-config';
import { paymentSettings } from '@sluice/payments/provider-config';

/** What main-api reads from its environment beyond what every service does. */
export const mainApiEnvironment = signingServiceEnvironment.extend({
  PUBLIC_URL: z.url().describe('where clients reach this API'),
  CONSOLE_URL: z.url().optional().describe('where people sign in, for links in mails; otherwise PUBLIC_URL'),
  AUDIT_URL: z
    .url()
    .optional()
    .describe('where clients reach the Audit API: PUBLIC_URL of audit; clients learn it from GET /context'),
  CATALOGUE_FILE: z.string().min(1).describe('path of the catalogue: clouds, regions, tiers, prices, plans'),
  CATALOGUE_CHECK_SECONDS: z.coerce
    .number()
    .min(0.01)
    .max(3_600)
    .default(5)
    .describe('seconds between two reads of the catalogue, whose changes apply at once'),
  REGION_REPORT_SECONDS: z.coerce
    .number()
    .min(1)
    .max(86_400)
    .default(1_800)
    .describe(
      'seconds without a report of its region after which a new deployment or an upgrade fails; a later report counts',
    ),
  BASE_DOMAIN: z.hostname().default('sluice.localhost').describe('parent of the domains of deployments'),
  NATS_REPLICAS: z.coerce
    .number()
    .int()
    .min(1)
    .max(5)
    .default(1)
    .describe('replicas of each stream and bucket: 3 in a NATS cluster, else 1'),
  EVENTS_KEEP_DAYS: z.coerce
    .number()
    .min(1)
    // what a consumer has had an effect of is known for 45 days, and the outbox sends again what is up to 14 days old
    .max(30)
    .default(30)
    .describe('days for which NATS keeps events, whether the audit service has read them or not'),
  SECRETS_KEYS: secretKeysSchema.describe(
    "keys for stored secrets (the settings of cloud accounts), main-api's own, <id>:<base64 of 32 bytes>, newest first",
  ),
  MAIL_KEYS: secretKeysSchema.describe(
    'keys that mails are sealed with on their way to the notifier, <id>:<base64 of 32 bytes>, newest first; the same there',
  ),
  PROTECTION_KEY: z
    .string()
    .transform((text) => new Uint8Array(Buffer.from(text, 'base64')))
    .refine((key) => key.length === 32, { error: 'has to be the base64 of 32 bytes' })
    .describe(
      'the key that one-time codes for deletions are derived from, base64 of 32 bytes; the same for all replicas',
    ),
  OIDC_PROVIDERS: providersSchema.describe('the identity providers that people sign in with, a JSON list'),
  ACCOUNT_RETURN_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'page to which browsers return from an identity provider, with next=sign_in, sign_up or link; JSON without it',
    ),
  SIGN_IN_CALLBACK_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'address that identity providers send browsers back to: /sign-in/callback of the console; default: /account/auth/callback below PUBLIC_URL',
    ),
  DEVICE_PAGE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe(
      'page on which people approve terminals, such as one of the console; default: /device below PUBLIC_URL, which leads there otherwise',
    ),
  ...paymentSettings,
  ...invoiceSettings,
  MAILS_PER_ADDRESS: z.coerce
    .number()
    .int()
    .min(1)
    .default(100)
    .describe('mails a day to one address that other people cause: invitations, codes, requests to join'),
  MAILS_PER_TENANT: z.coerce
    .number()
    .int()
    .min(1)
    .default(1_000)
    .describe('mails a day that one tenant causes: invitations, codes, requests to join'),
  SESSION_IDLE_MINUTES: z.coerce
    .number()
    .positive()
    .default(480)
    .describe('minutes until an unused session ends'),
  ...feedSettings,
  SESSION_HOURS: z.coerce.number().positive().default(168).describe('hours until any session ends'),
});
export type MainApiEnvironment = z.infer<typeof mainApiEnvironment>;

const minute = 60_000;

/** What the installation decides about the streams. */
export const streamSettingsOf = ({
  NATS_REPLICAS,
  EVENTS_KEEP_DAYS,
}: MainApiEnvironment): StreamSettings => ({
  replicas: NATS_REPLICAS,
  eventsKeepDays: EVENTS_KEEP_DAYS,
});

export const sessionTimesOf = ({
  SESSION_IDLE_MINUTES,
  SESSION_HOURS,
}: MainApiEnvironment): SessionTimes => ({
  idleMilliseconds: SESSION_IDLE_MINUTES * minute,
  longestMilliseconds: SESSION_HOURS * 60 * minute,
});
