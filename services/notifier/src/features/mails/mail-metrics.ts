import { Counter, type Registry } from '@prometheus-io/client';

/** Mails by template: how many were sent, and how many attempts failed (`refused` for good, or to be tried `later`). */
export interface MailCounts {
  sent: Counter<'template'>;
  failed: Counter<'template' | 'outcome'>;
}

export function countMails(metrics: Registry): MailCounts {
  const registers = [metrics];
  return {
    sent: new Counter({
      name: 'sluice_mails_sent_total',
      help: 'Mails that the mail server has taken',
      labelNames: ['template'],
      registers,
    }),
    failed: new Counter({
      name: 'sluice_mails_failed_total',
      help: 'Attempts to send a mail that failed',
      labelNames: ['template', 'outcome'],
      registers,
    }),
  };
}
