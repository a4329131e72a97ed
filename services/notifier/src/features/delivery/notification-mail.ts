import type { Sender } from '../../config.ts';
import { returningTo } from '../bounces/return-paths.ts';
import type { DueMessage } from './messages.ts';
import { renderMail } from '../mails/mail-body.ts';
import type { OutgoingMail } from '../mails/transports/mail-transport.ts';

/**
 * A notification as a mail: the same bytes whenever it is composed.
 * @param path where it comes back to when it cannot be delivered; default: its sender
 */
export function notificationMail(sender: Sender, to: string, due: DueMessage, path?: string): OutgoingMail {
  const { id, message, occurredAt } = due;
  return {
    id,
    mail: {
      from: sender,
      to: { name: '', address: to },
      subject: message.subject,
      ...renderMail(message),
      date: occurredAt,
      messageId: `<${id}@${sender.address.split('@')[1]}>`,
      baseBoundary: id,
      headers: { 'Auto-Submitted': 'auto-generated' },
      ...(path !== undefined && returningTo(path, to)),
    },
  };
}
