import { randomUUID } from 'node:crypto';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { RetryLater } from '@sluice/messaging';
import { sqlState } from '@sluice/service';
import { createTransport } from 'nodemailer';
import type { MailTransport } from './mail-transport.ts';

/**
 * Writes each mail as `<time>-<message id>.eml` that only its owner reads, for stacks without a mail server. A mail
 * that is written twice is one file.
 */
export async function openMailFolder(folder: string): Promise<MailTransport> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const mailer = createTransport({
    streamTransport: true,
    buffer: true,
    newline: 'windows',
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return {
    async send({ id, mail }) {
      const { message } = await mailer.sendMail(mail);
      const time = mail.date.toISOString().replaceAll(/[-:]/g, '');
      const file = join(folder, `${time}-${id}.eml`);
      const unfinished = join(folder, `.${id}.${randomUUID()}`);
      try {
        await writeFile(unfinished, message, { mode: 0o600 });
        await rename(unfinished, file);
      } catch (error) {
        await rm(unfinished, { force: true });
        throw new RetryLater(`the mail folder cannot be written to (${sqlState(error) ?? 'unknown'})`);
      }
    },
  };
}
