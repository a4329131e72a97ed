import { secretKeysSchema, serviceEnvironment } from '@sluice/service-kit';
import addressparser from 'nodemailer/lib/addressparser';
import { z } from 'zod';

/** A sender, such as `Sluice <no-reply@example.com>`. */
const senderSchema = z
  .string()
  .transform((text) => addressparser(text, { flatten: true }))
  .refine((senders) => senders.length === 1, { error: 'has to be one mail address' })
  .transform(([sender]) => ({ name: sender?.name ?? '', address: sender?.address ?? '' }))
  .refine(({ address }) => z.email().safeParse(address).success, { error: 'has to be one mail address' });
export type Sender = z.infer<typeof senderSchema>;

const common = serviceEnvironment.extend({
  MAIL_KEYS: secretKeysSchema.describe('keys that mails are sealed with on their way to the notifier'),
  MAIL_FROM: senderSchema.describe('sender of all mails, with or without a name'),
});

/** What the notifier reads from its environment beyond what every service does. */
export const notifierEnvironment = z.discriminatedUnion('MAIL_TRANSPORT', [
  common.extend({
    MAIL_TRANSPORT: z.literal('smtp'),
    SMTP_URL: z
      .url({ protocol: /^smtps?$/ })
      .describe('smtp(s)://user:password@host:port; with ?requireTLS=true never without STARTTLS'),
  }),
  common.extend({
    MAIL_TRANSPORT: z.literal('file'),
    MAIL_DIR: z.string().min(1).describe('folder that each mail is written to as an .eml file'),
  }),
]);
export type NotifierEnvironment = z.infer<typeof notifierEnvironment>;
