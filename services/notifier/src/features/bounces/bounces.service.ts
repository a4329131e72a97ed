import { system, type Log } from '@sluice/service';
import type { Transaction, Work } from '../../database/tables.ts';
import { failDelivered } from '../notifications/notifications.store.ts';
import { isSent, markReturned } from '../mails/sent-mails.store.ts';
import type { MailRef, ReturnedMail } from '../mails/return-paths.ts';

export interface BouncesDependencies {
  work: Work;
  now: () => Date;
  log: Log;
}

/** `known`: it was recorded before, or is too old to matter; `early`: that it was sent is not stored yet */
export type BounceOutcome = 'recorded' | 'known' | 'early';

/** within which the replica that has sent a mail has stored that, or never will */
const storedMilliseconds = 10 * 60 * 1_000;

/** Records mails that a server has taken and that have come back all the same (interface, 6.2 and 6.3). */
export function bouncesService({ work, now, log }: BouncesDependencies) {
  return {
    /** Once it resolves the failure is stored; a second one of the same mail changes nothing. */
    async record(mail: ReturnedMail, reason: string): Promise<BounceOutcome> {
      const outcome = await work(system, (tx) => failed(tx, mail, reason));
      const isYoung = now().getTime() - mail.sentAt.getTime() < storedMilliseconds;
      const known = outcome === 'unknown' ? (isYoung ? 'early' : 'known') : outcome;
      log.info('a mail has come back', { kind: mail.kind, id: mail.id, outcome: known });
      return known;
    },
  };
}

async function failed(tx: Transaction, mail: MailRef, reason: string): Promise<BounceOutcome | 'unknown'> {
  if (mail.kind === 'mail') return await mailFailed(tx, mail.id, reason);
  switch (await failDelivered(tx.db, mail.id, reason)) {
    case 'delivered':
      return 'recorded';
    case 'pending':
      return 'early';
    default:
      return 'known';
  }
}

/** Reported like a mail that its server refuses at once, in the transaction that marks it as returned. */
async function mailFailed(tx: Transaction, id: string, reason: string): Promise<BounceOutcome | 'unknown'> {
  const mail = await markReturned(tx.db, id);
  if (!mail) return (await isSent(tx.db, id)) ? 'known' : 'unknown';
  const { template, recipient, about } = mail;
  tx.report('mail_undeliverable', { mail_id: id, template, to: recipient, about, reason });
  return 'recorded';
}
