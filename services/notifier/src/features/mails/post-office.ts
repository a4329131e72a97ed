import type { SendMailOptions } from 'nodemailer';
import type { NotifierEnvironment } from '../../config.ts';
import { openMailFolder } from './mail-folder.ts';
import { openSmtp } from './smtp.ts';

export interface Posting {
  /** of the message that asks for the mail */
  id: string;
  mail: SendMailOptions & { date: Date };
}

/** Where mails leave Sluice. */
export interface PostOffice {
  /**
   * Resolves when the mail is in the hands of the receiver.
   * @throws PermanentError when it is refused for good, RetryLater when it may be taken later; neither tells any content
   */
  post(posting: Posting): Promise<void>;
}

/** The post office that the environment names; `ended` cuts off what is being sent. */
export async function openPostOffice(
  environment: NotifierEnvironment,
  ended: AbortSignal,
): Promise<PostOffice> {
  return environment.MAIL_TRANSPORT === 'smtp'
    ? openSmtp(environment.SMTP_URL, ended)
    : await openMailFolder(environment.MAIL_DIR);
}
