import { mailSchema, type Mail, type MailTemplate } from '@sluice/contracts';
import { PermanentError, RetryLater, type Envelope, type Outgoing } from '@sluice/messaging';
import type { Log } from '@sluice/service';
import type { SecretBox } from '@sluice/system/secrets';
import { z } from 'zod';
import type { Sender } from '../../config.ts';
import type { Transaction } from '../../database/tables.ts';
import { insertSentMail } from './sent-mails.store.ts';
import { returningTo, type ReturnPaths } from './return-paths.ts';
import { renderBody } from './mail-body.ts';
import type { MailCounts } from './mail-metrics.ts';
import type { Template } from './mail-template.ts';
import * as templates from './templates/index.ts';
import type { MailTransport, OutgoingMail } from './transports/mail-transport.ts';

export interface MailsDependencies {
  cipher: SecretBox;
  sender: Sender;
  transport: MailTransport;
  /** where mails come back to that cannot be delivered; absent: to their sender */
  returnPaths: ReturnPaths | undefined;
  counts: MailCounts;
  log: Log;
}

/** A mail of the contracts without a template does not compile. */
const templateOf: { [Name in MailTemplate]: Template<Name> } = templates;

const messageSchema = z.object({ id: z.uuid(), occurred_at: z.iso.datetime(), data: mailSchema });
type Message = z.infer<typeof messageSchema>;

/** Sends the mails that messages ask for. */
export function mailsService({ cipher, sender, transport, returnPaths, counts, log }: MailsDependencies) {
  return {
    /**
     * Sends the mail of a message. It is called within the transaction that puts the message's id into the inbox, which
     * commits after the mail server has taken the mail. So no mail is lost; the same message in the hands of another
     * replica waits for that row and is then known as done. A mail is sent twice only if the process or the database
     * ends between sending and commit, and then both have the same `Message-ID`, by which mailboxes recognise them as
     * one. The other order would lose the mail in that case.
     * @throws PermanentError for what can never be sent, RetryLater for what may be sent later; neither tells any content
     */
    async send(envelope: Envelope, tx: Pick<Transaction, 'db'>): Promise<void> {
      const message = messageSchema.parse(envelope);
      const { template, about } = message.data;
      try {
        await transport.send(await compose(message));
      } catch (error) {
        counts.failed.inc({ template, outcome: error instanceof RetryLater ? 'later' : 'refused' });
        throw error;
      }
      if (returnPaths && about) await insertSentMail(tx.db, message.id, message.data, about);
      counts.sent.inc({ template });
      log.info('a mail was sent', { template, message_id: message.id });
    },

    /** Reports a mail that is not sent any more, for main-api to record it with what it is about. */
    async giveUp(envelope: Envelope, tx: Pick<Outgoing, 'report'>, reason: string): Promise<void> {
      const { success, data: message } = messageSchema.safeParse(envelope);
      if (!success || message.data.about === undefined) return;
      const { template, to, about } = message.data;
      tx.report('mail_undeliverable', {
        mail_id: message.id,
        template,
        to,
        about,
        reason: reason.slice(0, 500),
      });
    },
  };

  /** The mail of a message: the same bytes whenever it is composed. */
  async function compose({ id, occurred_at, data }: Message): Promise<OutgoingMail> {
    const asked = new Date(occurred_at);
    const body = templateOf[data.template].render(await contentOf(data, cipher), asked);
    // a return of one that is about nothing has no record to go to
    const path = data.about && returnPaths?.of({ kind: 'mail', id });
    return {
      id,
      mail: {
        from: sender,
        to: { name: '', address: data.to },
        subject: body.subject,
        ...renderBody(body),
        date: asked,
        messageId: `<${id}@${sender.address.split('@')[1]}>`,
        baseBoundary: id,
        // asks vacation responders and the like not to answer
        headers: { 'Auto-Submitted': 'auto-generated' },
        ...(path !== undefined && returningTo(path, data.to)),
      },
    };
  }
}

/** What is thrown here tells nothing of the text: even a syntax error would quote it. */
async function contentOf({ sealed }: Mail, cipher: SecretBox): Promise<unknown> {
  let text: string;
  try {
    text = await cipher.open(sealed);
  } catch {
    throw new PermanentError('the content of the mail cannot be opened with any of MAIL_KEYS');
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new PermanentError('the content of the mail is not JSON');
  }
}
