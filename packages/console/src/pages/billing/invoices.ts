import type { Invoice, InvoiceLine } from '@sluice/client';
import type { ShownStatus } from '@sluice/ui/lib/status.ts';

/** Whether an invoice is paid, owed or overdue. */
export function shownInvoice(
  { paid_at: paid, due_at: due }: Pick<Invoice, 'paid_at' | 'due_at'>,
  now: Date,
): ShownStatus {
  if (paid !== null) return { kind: 'ok', word: 'Paid' };
  return Date.parse(due) < now.getTime() ? { kind: 'bad', word: 'Overdue' } : { kind: 'warn', word: 'Owed' };
}

/** `March 2026`, of the month in which a time begins, by UTC. */
export const monthName = (from: string): string =>
  new Date(from).toLocaleDateString('en', { month: 'long', year: 'numeric', timeZone: 'UTC' });

const kinds: Record<InvoiceLine['kind'], string> = {
  usage: 'Usage',
  correction: 'Correction of an earlier month',
  discount: 'Discount',
  credit: 'Credit',
  tax: 'Tax',
};

/** What a line of an invoice is about. */
export function lineText({ kind, deployment, division, environment, percent }: InvoiceLine): string {
  const place = [division, environment, deployment].flatMap((one) => (one ? [one.name] : [])).join(' / ');
  const text = percent === undefined ? kinds[kind] : `${kinds[kind]} of ${percent} %`;
  if (place === '') return text;
  return kind === 'usage' ? place : `${text}: ${place}`;
}
