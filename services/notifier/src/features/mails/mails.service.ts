import { mailSchema, type Mail } from '@sluice/contracts';
import { PermanentError, RetryLater, type Envelope, type Log, type SecretBox } from '@sluice/service-kit';
import { z } from 'zod';
import type { Sender } from '../../config.ts';
import { asHtml, asText } from './letter-body.ts';
import { letters } from './letters/letters.ts';
import type { MailCounts } from './mail-metrics.ts';
import type { PostOffice, Posting } from './post-office.ts';

export interface MailDelivery {
  box: SecretBox;
  sender: Sender;
  postOffice: PostOffice;
  counts: MailCounts;
  log: Log;
}

const messageSchema = z.object({ id: z.uuid(), occurred_at: z.iso.datetime(), data: mailSchema });
type Message = z.infer<typeof messageSchema>;

/**
 * Sends the mail of a message. It is called within the transaction that puts the message's id into the inbox, which
 * commits after the mail server has taken the mail. So no mail is lost; the same message in the hands of another
 * replica waits for that row and is then known as done. A mail is sent twice only if the process or the database ends
 * between sending and commit, and then both have the same `Message-ID`, by which mailboxes recognise them as one. The
 * other order would lose the mail in that case.
 *
 * Throws `PermanentError` for what can never be sent and `RetryLater` for what may be sent later; neither tells any content.
 */
export function deliverMail({ box, sender, postOffice, counts, log }: MailDelivery) {
  return async (envelope: Envelope): Promise<void> => {
    const message = messageSchema.parse(envelope);
    const { template } = message.data;
    try {
      await postOffice.post(await compose(message, box, sender));
    } catch (error) {
      counts.failed.inc({ template, outcome: error instanceof RetryLater ? 'later' : 'refused' });
      throw error;
    }
    counts.sent.inc({ template });
    log.info('a mail was sent', { template, message_id: message.id });
  };
}

/** The mail of a message: the same bytes whenever it is composed. */
async function compose({ id, occurred_at, data }: Message, box: SecretBox, sender: Sender): Promise<Posting> {
  const asked = new Date(occurred_at);
  const letter = letters[data.template](await open(data, box), asked);
  return {
    id,
    mail: {
      from: sender,
      to: { name: '', address: data.to },
      subject: letter.subject,
      text: asText(letter),
      html: asHtml(letter),
      date: asked,
      messageId: `<${id}@${sender.address.split('@')[1]}>`,
      baseBoundary: id,
      // asks vacation responders and the like not to answer
      headers: { 'Auto-Submitted': 'auto-generated' },
    },
  };
}

/** What is thrown here tells nothing of the text: even a syntax error would quote it. */
async function open({ sealed }: Mail, box: SecretBox): Promise<unknown> {
  let text: string;
  try {
    text = await box.open(sealed);
  } catch {
    throw new PermanentError('the content of the mail cannot be opened with any of MAIL_KEYS');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new PermanentError('the content of the mail is not JSON');
  }
}
