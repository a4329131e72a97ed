import { isMailAddress } from '@sluice/contracts';
import { secretKeysSchema, serviceEnvironment } from '@sluice/service-kit';
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

const common = serviceEnvironment.extend({
  MAIL_KEYS: secretKeysSchema.describe(
    'keys that mails are sealed with on their way to the notifier, <id>:<base64 of 32 bytes>, newest first',
  ),
  MAIL_FROM: senderSchema.describe('sender of all mails, with or without a name'),
});

/** What the notifier reads from its environment beyond what every service does. */
export const notifierEnvironment = z.discriminatedUnion('MAIL_TRANSPORT', [
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
]);
export type NotifierEnvironment = z.infer<typeof notifierEnvironment>;
