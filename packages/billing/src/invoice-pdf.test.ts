import { buffer } from 'node:stream/consumers';
import { inflateSync } from 'node:zlib';
import { invoicePdf } from './invoice-pdf.ts';
import { outlineOf } from './outlines.ts';
import type { Invoice, InvoiceLine, LineKind } from './invoice.ts';

const month = new Date('2026-03-01T00:00:00Z');
const nothing = { name: null, address: null, city: null, state: null, postal_code: null, email: null };
const invoice = {
  ...{ id: 1, number: 7, reference: 'INV-000007', month, currency: 'USD', subtotal: '1.00', total: '1.19' },
  ...{ tax_rule: 'domestic', missing: [], issued_at: month, due_at: month },
  seller: { name: 'Sluice GmbH', address: ['Torstraße 1'], country: 'DE', footer: ['IBAN DE02'] },
  customer: { company: 'Εταιρεία Α.Ε.', country: 'GR', tax_id: 'EL1', ...nothing },
} as unknown as Invoice;

function linesOf(count: number): InvoiceLine[] {
  const usage = { kind: 'usage', month, amount: '1.00', name: 'заказы', division_name: 'a'.repeat(300) };
  const rows = Array.from({ length: count }, () => ({ ...usage, seconds: '3600' }));
  return [...rows, { kind: 'tax', amount: '0.19', percent: '19.00' }] as InvoiceLine[];
}

async function pdfOf(count: number, company = 'Εταιρεία Α.Ε.'): Promise<string> {
  const counts = new Map<LineKind, number>([
    ['usage', count],
    ['tax', 1],
  ]);
  async function* some() {
    yield linesOf(count);
  }
  const customer = { ...invoice.customer, company };
  return (await buffer(invoicePdf({ ...invoice, customer }, counts, some()))).toString('latin1');
}

const announced = (pdf: string) => Number(/\(pages (\d+)\)/.exec(pdf)?.[1]);

test.each([1, 11, 12, 13, 14, 15, 16, 17, 38, 39, 40, 41, 42, 43, 44, 500])(
  '%i lines are on as many pages as each page says',
  async (count) => {
    const pdf = await pdfOf(count);
    expect(pdf.match(/\/Type \/Page\b(?!s)/g)).toHaveLength(announced(pdf));
  },
);

test.each(['中国科技有限公司', '株式会社さくら カナ', '주식회사 한국', 'Acme 张伟 Ltd'])(
  'the name %s is drawn, and can be copied',
  async (name) => {
    const pdf = await pdfOf(1, name);
    const streams = [...pdf.matchAll(/stream\r?\n([\s\S]*?)\r?\nendstream/g)].flatMap(([, stream = '']) => {
      try {
        return inflateSync(Buffer.from(stream, 'latin1')).toString('latin1');
      } catch {
        return [];
      }
    });
    const [run = ''] = /[\u2e80-\ud7ff]+/.exec(name) ?? [];
    const utf16 = Buffer.from(`\ufeff${run}`, 'utf16le').swap16().toString('latin1');
    expect(streams.join('\n')).toContain('/ActualText');
    expect(
      streams.join('\n').replaceAll(/\\([\\()nrtbf])/g, (_, one: string) => escapes[one] ?? one),
    ).toContain(utf16);
    // no box: each character has an outline
    for (const character of run) expect(outlineOf(character)?.path).toMatch(/^M/);
  },
);
const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f' };
