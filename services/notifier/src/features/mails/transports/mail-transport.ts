import type { SendMailOptions } from 'nodemailer';

export interface OutgoingMail {
  /** of the message that asks for the mail */
  id: string;
  mail: SendMailOptions & { date: Date };
}

/** How mails leave Sluice. */
export interface MailTransport {
  /**
   * Resolves when the mail is in the hands of the receiver.
   * @throws PermanentError when it is refused for good, RetryLater when it may be taken later; neither tells any content
   */
  send(mail: OutgoingMail): Promise<void>;
}
