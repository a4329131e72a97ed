import { secretKeysSchema, serviceEnvironment } from '@sluice/service-kit';
import { z } from 'zod';
import type { SessionTimes } from './core.ts';
import { providersSchema } from './features/identity/sign-in/provider-config.ts';

/** What main-api reads from its environment beyond what every service does. */
export const mainApiEnvironment = serviceEnvironment.extend({
  PUBLIC_URL: z.url().describe('where clients reach this API'),
  CONSOLE_URL: z.url().optional().describe('where people sign in, as mails tell them; otherwise PUBLIC_URL'),
  CATALOGUE_FILE: z.string().min(1).describe('path of the catalogue: clouds, regions, tiers, plans'),
  BASE_DOMAIN: z
    .hostname()
    .default('sluice.localhost')
    .describe("the domain that deployments' domains end in"),
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
      'the page that browsers are sent to from an identity provider, with next=sign_in, sign_up or link; JSON without it',
    ),
  MAILS_PER_ADDRESS: z.coerce
    .number()
    .int()
    .min(1)
    .default(100)
    .describe('mails a day to one address that others cause: invitations, codes, requests to join'),
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
  SESSION_HOURS: z.coerce.number().positive().default(168).describe('hours until any session ends'),
});
export type MainApiEnvironment = z.infer<typeof mainApiEnvironment>;

const minute = 60_000;

export function sessionTimesOf({
  SESSION_IDLE_MINUTES,
  SESSION_HOURS,
}: Pick<MainApiEnvironment, 'SESSION_IDLE_MINUTES' | 'SESSION_HOURS'>): SessionTimes {
  return {
    idleMilliseconds: SESSION_IDLE_MINUTES * minute,
    longestMilliseconds: SESSION_HOURS * 60 * minute,
  };
}
