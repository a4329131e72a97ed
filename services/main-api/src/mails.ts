import type { MailAbout, MailContent, MailTemplate } from '@sluice/contracts';
import type { Outgoing } from '@sluice/messaging';
import type { SecretBox } from '@sluice/system/secrets';

/**
 * Has the notifier send a mail. Its content leaves sealed: it may be secret, and it passes through the outbox.
 * @param about where it is recorded when it cannot be delivered
 * @returns its id, by which that is reported
 */
export async function sendMail<Template extends MailTemplate>(
  tx: Pick<Outgoing, 'mail'>,
  mailCipher: SecretBox,
  template: Template,
  to: string,
  content: MailContent<Template>,
  about?: MailAbout,
): Promise<string> {
  const sealed = await mailCipher.seal(JSON.stringify(content));
  return tx.mail({ template, to, sealed, ...(about && { about }) });
}
