import type { InvoiceLine } from '@sluice/client';
import { lineText, monthName, shownInvoice } from './invoices.ts';

test('an invoice is paid, owed or overdue', () => {
  const now = new Date('2026-03-14T00:00:00.000Z');
  const word = (paid: string | null, due: string) => shownInvoice({ paid_at: paid, due_at: due }, now).word;
  expect(word('2026-03-02T00:00:00.000Z', '2026-03-01T00:00:00.000Z')).toBe('Paid');
  expect(word(null, '2026-03-15T00:00:00.000Z')).toBe('Owed');
  expect(word(null, '2026-03-13T00:00:00.000Z')).toBe('Overdue');
});

test('months and lines have words', () => {
  expect(monthName('2026-03-01T00:00:00.000Z')).toBe('March 2026');
  const place = { division: { id: 1, name: 'd' }, environment: { id: 2, name: 'e' } };
  const line = { n: 1, amount_usd: '1.00', ...place, deployment: { id: 3, name: 'x' } };
  expect(lineText({ ...line, kind: 'usage' })).toBe('d / e / x');
  expect(lineText({ ...line, kind: 'correction' })).toBe('Correction of an earlier month: d / e / x');
  expect(lineText({ n: 2, amount_usd: '1.00', kind: 'tax', percent: '19' } as unknown as InvoiceLine)).toBe(
    'Tax of 19 %',
  );
});
