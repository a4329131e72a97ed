import { PermanentError, RetryLater } from '@sluice/messaging';
import { createTransport } from 'nodemailer';
import { z } from 'zod';
import type { MailTransport } from './mail-transport.ts';

/** below the minute after which PostgreSQL ends a transaction that waits for its client */
const deadlineMilliseconds = 30_000;

/** Sends by SMTP, with STARTTLS where the server has it. `ended` cuts off what is being sent. */
export function openSmtp(url: string, ended: AbortSignal): MailTransport {
  const mailer = createTransport({
    url,
    dnsTimeout: 5_000,
    connectionTimeout: 10_000,
    greetingTimeout: 10_000,
    socketTimeout: 20_000,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  // each failure is told to whoever sends as well
  mailer.on('error', () => undefined);
  return {
    async send({ mail }) {
      const signal = AbortSignal.any([ended, AbortSignal.timeout(deadlineMilliseconds)]);
      try {
        await mailer.sendMail({ ...mail, signal });
      } catch (error) {
        throw verdictOn(error);
      }
    },
  };
}

/** What nodemailer tells about a failure. */
const failureSchema = z.object({
  code: z.string().catch('unknown'),
  originalCode: z.string().optional(),
  command: z.string().optional(),
  response: z.string().optional(),
  responseCode: z.int().optional(),
  permanent: z.boolean().catch(false),
});

/** commands that the mail itself depends on: what is refused before them is refused to us, whatever we send */
const aboutTheMail = ['MAIL FROM', 'RCPT TO', 'DATA'];
/** replies of the 5xx range that ask for other settings, not for another mail: authentication, encryption */
const aboutSettings = [530, 534, 535, 538];

/**
 * Whether a mail is refused for good, or may be taken later. The server's words are told only as long as it has not
 * seen the mail: later it might quote it.
 */
function verdictOn(error: unknown): PermanentError | RetryLater {
  const { success, data: failure } = failureSchema.safeParse(error);
  if (!success) return new RetryLater('sending failed');
  const { code, originalCode, command, response, responseCode, permanent } = failure;
  if (responseCode === undefined) {
    // an address that nodemailer itself does not send to
    if (code === 'EENVELOPE') return new PermanentError('the mail address cannot be used');
    return new RetryLater(`the mail server cannot be used: ${originalCode ?? code}`);
  }
  const words = command === 'MAIL FROM' || command === 'RCPT TO' ? response : enhanced(response);
  const reply = `SMTP ${words ?? responseCode}${command ? ` (${command})` : ''}`;
  const forGood = permanent && aboutTheMail.includes(command ?? '') && !aboutSettings.includes(responseCode);
  return forGood ? new PermanentError(reply) : new RetryLater(reply);
}

/** The codes at the beginning of a reply, such as `550 5.1.1`. */
const enhanced = (response = '') => /^\d{3}([ -]\d\.\d{1,3}\.\d{1,3})?/.exec(response)?.[0];
