import type { UnitOfWork } from '@sluice/messaging';
import { system, type KyselyTransaction, type Log } from '@sluice/service';
import type { Tables, Transaction } from '../../database/tables.ts';
import { failDelivered } from '../../stores/notifications.store.ts';
import { isSent, markReturned } from '../../stores/sent-mails.store.ts';
import type { MailRef, ReturnedMail } from './return-paths.ts';

export interface BouncesDependencies {
  work: UnitOfWork<KyselyTransaction<Tables>>;
  now: () => Date;
  log: Log;
}

/** `known`: it was recorded before, or nobody has to know any more; `early`: that it was sent is not stored yet */
export type BounceOutcome = 'recorded' | 'known' | 'early';

/** within which whoever has sent a mail has stored that, or never will */
const storedMilliseconds = 10 * 60 * 1_000;

/** Records mails that a server has taken and that have come back all the same (interface, 6.2 and 6.3). */
export function bouncesService({ work, now, log }: BouncesDependencies) {
  return {
    /** Once it resolves the failure is stored; a second one of the same mail changes nothing. */
    async record(mail: ReturnedMail, reason: string): Promise<BounceOutcome> {
      const outcome = await work(system, (tx) => failed(tx, mail, reason));
      const isYoung = now().getTime() - mail.sentAt.getTime() < storedMilliseconds;
      const told = outcome === 'unknown' ? (isYoung ? 'early' : 'known') : outcome;
      log.info('a mail has come back', { kind: mail.kind, id: mail.id, outcome: told });
      return told;
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

/** It is told as what the mail server refuses at once is: the report leaves with the note that the mail has come back. */
async function mailFailed(tx: Transaction, id: string, reason: string): Promise<BounceOutcome | 'unknown'> {
  const mail = await markReturned(tx.db, id);
  if (!mail) return (await isSent(tx.db, id)) ? 'known' : 'unknown';
  const { template, recipient, about } = mail;
  tx.report('mail_undeliverable', { mail_id: id, template, to: recipient, about, reason });
  return 'recorded';
}
