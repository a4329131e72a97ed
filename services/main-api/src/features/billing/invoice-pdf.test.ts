import { buffer } from 'node:stream/consumers';
import { invoicePdf } from './invoice-pdf.ts';
import type { InvoiceLineRow, InvoiceRow, LineKind } from './invoices.store.ts';

const month = new Date('2026-03-01T00:00:00Z');
const nothing = { name: null, address: null, city: null, state: null, postal_code: null, email: null };
const invoice = {
  ...{ id: 1, number: 7, reference: 'INV-000007', month, currency: 'USD', subtotal: '1.00', total: '1.19' },
  ...{ tax_rule: 'domestic', missing: [], issued_at: month, due_at: month },
  seller: { name: 'Sluice GmbH', address: ['Torstraße 1'], country: 'DE', footer: ['IBAN DE02'] },
  customer: { company: 'Εταιρεία Α.Ε.', country: 'GR', tax_id: 'EL1', ...nothing },
} as unknown as InvoiceRow;

function linesOf(count: number): InvoiceLineRow[] {
  const usage = { kind: 'usage', month, amount: '1.00', name: 'заказы', division_name: 'a'.repeat(300) };
  const rows = Array.from({ length: count }, (_, position) => ({
    ...usage,
    n: position + 1,
    seconds: '3600',
  }));
  return [...rows, { kind: 'tax', n: count + 1, amount: '0.19', percent: '19.00' }] as InvoiceLineRow[];
}

async function pdfOf(count: number): Promise<string> {
  const counts = new Map<LineKind, number>([
    ['usage', count],
    ['tax', 1],
  ]);
  async function* some() {
    yield linesOf(count);
  }
  return (await buffer(invoicePdf(invoice, counts, some()))).toString('latin1');
}

const announced = (pdf: string) => Number(/\(pages (\d+)\)/.exec(pdf)?.[1]);

test.each([1, 11, 12, 13, 14, 15, 16, 17, 38, 39, 40, 41, 42, 43, 44, 500])(
  '%i lines are on as many pages as each page says',
  async (count) => {
    const pdf = await pdfOf(count);
    expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(announced(pdf));
  },
);
