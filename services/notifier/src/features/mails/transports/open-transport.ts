import type { NotifierEnvironment } from '../../../config.ts';
import { openMailFolder } from './mail-folder.ts';
import type { MailTransport } from './mail-transport.ts';
import { openSmtp } from './smtp.ts';

/** The transport that the environment names; `ended` cuts off what is being sent. */
export async function openMailTransport(
  environment: NotifierEnvironment,
  ended: AbortSignal,
): Promise<MailTransport> {
  return environment.MAIL_TRANSPORT === 'smtp'
    ? openSmtp(environment.SMTP_URL, ended)
    : await openMailFolder(environment.MAIL_DIR);
}
