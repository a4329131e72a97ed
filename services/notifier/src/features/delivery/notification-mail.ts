import type { Sender } from '../../config.ts';
import { returningTo } from '../mails/return-paths.ts';
import type { DueMessage } from './messages.ts';
import { renderMail } from '../mails/mail-body.ts';
import type { OutgoingMail } from '../mails/transports/mail-transport.ts';

/**
 * A notification as a mail: the same bytes whenever it is composed.
 * @param links by which its address unsubscribes (RFC 8058), and where it comes back to when it cannot be delivered; default: to its sender
 */
export function notificationMail(
  sender: Sender,
  to: string,
  due: DueMessage,
  { unsubscribe, path }: { unsubscribe: string; path: string | undefined },
): OutgoingMail {
  const { id, message, occurredAt } = due;
  return {
    id,
    mail: {
      from: sender,
      to: { name: '', address: to },
      subject: message.subject,
      ...renderMail({ ...message, unsubscribe }),
      date: occurredAt,
      messageId: `<${id}@${sender.address.split('@')[1]}>`,
      baseBoundary: id,
      headers: {
        'Auto-Submitted': 'auto-generated',
        'List-Unsubscribe': `<${unsubscribe}>`,
        'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      },
      ...(path !== undefined && returningTo(path, to)),
    },
  };
}
