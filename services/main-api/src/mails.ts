import type { MailContent, MailTemplate } from '@sluice/contracts';
import type { Outgoing, SecretBox } from '@sluice/service-kit';

/** Has the notifier send a mail. Its content leaves sealed: it may be secret, and it passes through the outbox. */
export async function sendMail<Template extends MailTemplate>(
  tx: Pick<Outgoing, 'mail'>,
  mailCipher: SecretBox,
  template: Template,
  to: string,
  content: MailContent<Template>,
): Promise<void> {
  tx.mail({ template, to, sealed: await mailCipher.seal(JSON.stringify(content)) });
}
