import { readFile } from 'node:fs/promises';
import { rootCertificates } from 'node:tls';
import { isMailAddress } from '@sluice/contracts';
import { httpsProxySchema, nameServersSchema, serviceEnvironment } from '@sluice/service';
import { secretKeysSchema } from '@sluice/system/secrets';
import { isAddressOrBlock } from '@sluice/system/addresses';
import addressparser from 'nodemailer/lib/addressparser';
import { z } from 'zod';

/** A sender, such as `Sluice <no-reply@example.com>`. */
const senderSchema = z
  .string()
  .transform((text) => addressparser(text, { flatten: true }))
  .refine((senders) => senders.length === 1, { error: 'has to be one mail address' })
  .transform(([sender]) => ({ name: sender?.name ?? '', address: sender?.address ?? '' }))
  .refine(({ address }) => isMailAddress(address), { error: 'has to be one mail address' });
export type Sender = z.infer<typeof senderSchema>;

const blocks = z
  .string()
  .default('')
  .transform((text) => text.split(',').flatMap((entry) => entry.trim() || []))
  .refine((entries) => entries.every(isAddressOrBlock), { error: 'has to be addresses and CIDRs' });
const seconds = z.coerce.number().positive().max(86_400);

/** characters before an `@` (RFC 5321, 4.5.3.1.1), less the `+` and the token that follow in a return path */
export const longestLocalPart = 64 - 1 - 53;

const common = serviceEnvironment.extend({
  MAIL_KEYS: secretKeysSchema.describe(
    'keys that mails are sealed with on their way to the notifier, <id>:<base64 of 32 bytes>, newest first',
  ),
  MAIL_FROM: senderSchema.describe('sender of all mails, with or without a name'),
  SECRETS_KEYS: secretKeysSchema.describe(
    'keys that destinations of channels are stored with and return paths are signed with, <id>:<base64 of 32 bytes>, newest first',
  ),
  MAIN_API_URL: z
    .url({ protocol: /^https?$/ })
    .describe('where clients reach the Main API: mails of channels lead there to unsubscribe'),
  CONSOLE_URL: z
    .url({ protocol: /^https?$/ })
    .optional()
    .describe('where the console is: notifications lead to its pages; without it they have no links'),
  NOTIFICATION_THROTTLE_SECONDS: seconds
    .default(60)
    .describe('seconds in which a channel gets one notification of a type of event about the same resource'),
  NOTIFICATION_RETRY_SECONDS: seconds
    .default(2)
    .describe('seconds before the first retry of a notification; each later pause is twice as long'),
  NOTIFICATION_MAILS_PER_ADDRESS: z.coerce
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .default(1_000)
    .describe('mails a day that one address gets from the channels of all tenants'),
  NOTIFICATIONS_ALLOWED: blocks.describe(
    'private addresses and CIDRs that channels may have, separated by commas',
  ),
  NOTIFICATIONS_REFUSED: blocks.describe(
    'public addresses and CIDRs that channels may not have, such as those of the installation',
  ),
  NOTIFICATIONS_CA_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('file with certificates (PEM) to trust for channels beside the well-known ones'),
  NAME_SERVERS: nameServersSchema.describe(
    'name servers, as address or address:port separated by commas, that names of channels are looked up at; default: those of the system',
  ),
  HTTPS_PROXY: httpsProxySchema.describe(
    'proxy, http://[user:password@]host:port, through which channels are reached',
  ),
  BOUNCES_ADDRESS: z
    .string()
    .refine(isMailAddress, { error: 'has to be a mail address' })
    .refine((address) => address.lastIndexOf('@') <= longestLocalPart, {
      error: `has to have ${longestLocalPart} characters before its @ at most`,
    })
    .optional()
    .describe(
      'address for bounces, with a token for each mail (bounces+…@); default: MAIL_FROM, and bounces have no effect',
    ),
  BOUNCES_PORT: z.coerce
    .number()
    .int()
    .min(1)
    .max(65_535)
    .optional()
    .describe('SMTP port for bounces; default: none. Goes together with BOUNCES_ADDRESS'),
  BOUNCES_TLS_CERT_FILE: z
    .string()
    .min(1)
    .optional()
    .describe('file with the certificate (PEM) for STARTTLS there; read again every hour'),
  BOUNCES_TLS_KEY_FILE: z.string().min(1).optional().describe('file with the key of BOUNCES_TLS_CERT_FILE'),
});

/** settings of which there are all or none */
const together = [
  ['BOUNCES_ADDRESS', 'BOUNCES_PORT'],
  ['BOUNCES_TLS_CERT_FILE', 'BOUNCES_TLS_KEY_FILE'],
] as const;

/** What the notifier reads from its environment beyond what every service does. */
export const notifierEnvironment = z
  .discriminatedUnion('MAIL_TRANSPORT', [
    common.extend({
      MAIL_TRANSPORT: z.literal('smtp').describe('how mails are sent'),
      SMTP_URL: z
        .url({ protocol: /^smtps?$/ })
        .describe(
          "for smtp: smtp(s)://user:password@host:port, nodemailer's options in the query; ?requireTLS=true: never without STARTTLS",
        ),
    }),
    common.extend({
      MAIL_TRANSPORT: z.literal('file').describe('how mails are sent'),
      MAIL_DIR: z.string().min(1).describe('for file: folder that each mail is written to, as .eml'),
    }),
  ])
  .superRefine((settings, context) => {
    for (const names of together)
      if (names.some((name) => settings[name] !== undefined))
        for (const name of names.filter((each) => settings[each] === undefined))
          context.addIssue({ code: 'custom', path: [name], message: `goes with ${names.join(' and ')}` });
  });
export type NotifierEnvironment = z.infer<typeof notifierEnvironment>;

/** The certificates that channels' destinations may show besides those of well-known authorities. */
export async function authoritiesOf({
  NOTIFICATIONS_CA_FILE: file,
}: NotifierEnvironment): Promise<string[] | undefined> {
  return file === undefined ? undefined : [...rootCertificates, await readFile(file, 'utf8')];
}
