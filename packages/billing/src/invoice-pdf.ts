import isoCountries from 'i18n-iso-countries';
import type { Invoice, InvoiceLine, LineKind } from './invoice.ts';
import { exact } from './money.ts';
import { daysAfter, monthName, monthsAfter } from './months.ts';
import { ink, paper, PdfPage, right } from './pdf-page.ts';

const left = paper.margin;
const rowHeight = 27;
const sumHeight = 17;
const noteHeight = 12;
const columns = { region: 290, hours: 445, amount: right };
/** where a table begins and ends: below the addresses on the first page, below its head on others */
const top = { first: 330, next: 100 };
const bottom = paper.height - 85;

/**
 * An invoice on A4 pages: the lines of usage, the same head on each page, and at the end the sums. The lines are read while the pages
 * are sent, so that it takes the same memory for any number of them.
 * @param counts how many lines there are of each kind
 */
export async function* invoicePdf(
  invoice: Invoice,
  counts: ReadonlyMap<LineKind, number>,
  lines: AsyncIterable<InvoiceLine[]>,
): AsyncGenerator<Uint8Array> {
  const writer = new InvoiceWriter(invoice, counts);
  for await (const some of lines) {
    for (const line of some) writer.line(line);
    yield* writer.page.written();
  }
  writer.end();
  for await (const piece of writer.page.doc as AsyncIterable<Uint8Array>) yield piece;
}

class InvoiceWriter {
  readonly page: PdfPage;
  readonly #invoice: Invoice;
  readonly #notes: string[];
  readonly #pages: number;
  /** below what is not usage */
  readonly #sums: [label: string, amount: string][] = [];
  #number = 0;
  #y = 0;

  constructor(invoice: Invoice, counts: ReadonlyMap<LineKind, number>) {
    this.#invoice = invoice;
    this.#notes = notesOf(invoice, counts);
    this.#pages = pagesFor(counts, this.#notes.length);
    this.page = new PdfPage(
      {
        Title: `Invoice ${invoice.reference}`,
        Author: invoice.seller.name,
        Keywords: `pages ${this.#pages}`,
      },
      invoice.issued_at,
    );
    this.#begin();
  }

  line(line: InvoiceLine): void {
    if (line.kind === 'usage' || line.kind === 'correction') this.#row(line);
    else this.#sums.push([labelOf(line, this.#invoice), line.amount]);
  }

  end(): void {
    const height = endHeight(this.#sums.length, this.#notes.length);
    if (this.#y + height > bottom) this.#begin();
    this.#y += 6;
    this.#sum('Subtotal', this.#invoice.subtotal);
    for (const [label, amount] of this.#sums) this.#sum(label, amount);
    const { page } = this;
    page.box(columns.region - 10, this.#y, right - columns.region + 20, 26);
    page.text('Total', columns.region, this.#y + 7, { bold: true, size: 10 });
    page.text(`${money(this.#invoice.total)} ${this.#invoice.currency}`, right, this.#y + 7, {
      ...{ bold: true, size: 10, align: 'right' },
    });
    this.#y += 44;
    for (const note of this.#notes) {
      page.text(note, left, this.#y, { size: 7.5, color: ink.soft, width: right - left });
      this.#y += noteHeight;
    }
    page.doc.end();
  }

  #row(line: InvoiceLine): void {
    if (this.#y + rowHeight > bottom) this.#begin();
    const { page } = this;
    const y = this.#y + 4;
    const late = line.kind === 'correction' && line.month ? `${monthName(line.month)}: ` : '';
    page.text(`${late}${line.name ?? ''}`, left, y, { size: 8.5, width: columns.region - left - 12 });
    page.text(`${line.division_name ?? ''} / ${line.environment_name ?? ''}`, left, y + 11, {
      ...{ size: 7, color: ink.soft, width: columns.region - left - 12 },
    });
    page.text(`${line.cloud ?? ''} ${line.region ?? ''}`, columns.region, y, {
      ...{ size: 8.5, width: columns.hours - columns.region - 55 },
    });
    const hours = exact(line.seconds ?? 0).div(3600);
    page.text(grouped(hours.toFixed(2)), columns.hours, y, { size: 8.5, align: 'right' });
    page.text(money(line.amount), columns.amount, y, { size: 8.5, align: 'right' });
    this.#y += rowHeight;
    page.rule(this.#y - 1);
  }

  #sum(label: string, amount: string): void {
    this.page.text(label, columns.region, this.#y, { size: 8.5, width: right - columns.region - 80 });
    this.page.text(money(amount), right, this.#y, { size: 8.5, align: 'right' });
    this.#y += sumHeight;
  }

  #begin(): void {
    this.#number += 1;
    const { page } = this;
    page.doc.addPage();
    if (this.#number === 1) this.#head();
    else {
      page.text(this.#invoice.seller.name, left, 52, { bold: true, width: 300 });
      page.text(`Invoice ${this.#invoice.reference}`, right, 52, { align: 'right', color: ink.soft });
    }
    this.#y = this.#number === 1 ? top.first : top.next;
    this.#tableHead();
    this.#foot();
  }

  #tableHead(): void {
    const { page } = this;
    const y = this.#y - 20;
    const style = { size: 7.5, bold: true, color: ink.soft };
    page.text('Deployment', left, y, style);
    page.text('Region', columns.region, y, style);
    page.text('Hours', columns.hours, y, { ...style, align: 'right' });
    page.text(`Amount ${this.#invoice.currency}`, columns.amount, y, { ...style, align: 'right' });
    page.rule(this.#y - 5, ink.accent);
  }

  #foot(): void {
    const { page } = this;
    page.rule(paper.height - 66);
    this.#invoice.seller.footer.forEach((text, position) =>
      page.text(text, left, paper.height - 58 + position * 10, { size: 7, color: ink.soft, width: 400 }),
    );
    page.text(`Page ${this.#number} of ${this.#pages}`, right, paper.height - 58, {
      ...{ size: 7, color: ink.soft, align: 'right' },
    });
  }

  #head(): void {
    const { page } = this;
    const { seller, customer, reference, month, issued_at, due_at, total, currency } = this.#invoice;
    page.text(seller.name, left, 50, { size: 15, bold: true, width: 290 });
    const from = [...seller.address, countryOf(seller.country), ...taxIdOf(seller.tax_id)];
    from.forEach((text, position) =>
      page.text(text, left, 72 + position * 11, { size: 7.5, color: ink.soft, width: 290 }),
    );
    page.text('Invoice', right, 48, { size: 19, bold: true, color: ink.accent, align: 'right' });

    page.text('Billed to', left, 170, { size: 7.5, bold: true, color: ink.soft });
    addressOf(customer).forEach((text, position) =>
      page.text(text, left, 183 + position * 12.5, { bold: position === 0, width: 260 }),
    );
    const facts: [string, string][] = [
      ['Number', reference],
      ['Issued', day(issued_at)],
      ['Period', `${day(month)} – ${day(daysAfter(monthsAfter(month, 1), -1))}`],
      ['Due', day(due_at)],
    ];
    facts.forEach(([label, value], position) => {
      const y = 170 + position * 14;
      page.text(label, 330, y, { size: 8, color: ink.soft });
      page.text(value, right, y, { size: 8, align: 'right' });
    });
    page.box(320, 234, right - 320, 42);
    page.text('Amount due', 330, 249, { size: 8.5, color: ink.soft });
    page.text(`${money(total)} ${currency}`, right - 10, 246, { size: 13, bold: true, align: 'right' });
  }
}

const endHeight = (sums: number, notes: number) => 6 + (sums + 1) * sumHeight + 44 + notes * noteHeight;

/** How many pages an invoice has: the same steps as the writer's. */
function pagesFor(counts: ReadonlyMap<LineKind, number>, notes: number): number {
  const rows = (counts.get('usage') ?? 0) + (counts.get('correction') ?? 0);
  const sums = [...counts].filter(([kind]) => kind !== 'usage' && kind !== 'correction');
  let [pages, y] = [1, top.first];
  const onFirst = Math.min(rows, Math.floor((bottom - top.first) / rowHeight));
  const onNext = Math.floor((bottom - top.next) / rowHeight);
  y += onFirst * rowHeight;
  const rest = rows - onFirst;
  if (rest > 0) {
    pages += Math.ceil(rest / onNext);
    y = top.next + (((rest - 1) % onNext) + 1) * rowHeight;
  }
  const height = endHeight(
    sums.reduce((sum, [, count]) => sum + count, 0),
    notes,
  );
  return y + height > bottom ? pages + 1 : pages;
}

function labelOf({ kind, month, percent }: InvoiceLine, { tax_rule }: Invoice): string {
  if (kind === 'discount') return `Discount ${shortly(percent)} % for ${month ? monthName(month) : ''}`;
  if (kind === 'credit') return 'Credit';
  return tax_rule === 'reverse_charge' ? 'VAT (reverse charge)' : `VAT ${shortly(percent)} %`;
}

function notesOf(invoice: Invoice, counts: ReadonlyMap<LineKind, number>): string[] {
  const { tax_rule, missing } = invoice;
  return [
    ...(tax_rule === 'reverse_charge' ? ['Reverse charge: the customer accounts for the VAT.'] : []),
    ...(tax_rule === 'outside' ? ['Not subject to VAT: supplied outside of the seller’s area of VAT.'] : []),
    ...(counts.has('correction')
      ? [
          'A line with the name of an earlier month is usage that was reported after the invoice of that month.',
        ]
      : []),
    ...missing.map(
      ({ cloud, region, usage_to }) =>
        `Usage of ${cloud} ${region} after ${usage_to === null ? 'the beginning' : moment(usage_to)} was not reported yet; ` +
        'what comes is on a later invoice.',
    ),
  ];
}

const addressOf = (customer: Invoice['customer']): string[] =>
  [
    ...[customer.company, customer.name, customer.address],
    [customer.postal_code, customer.city].filter((part) => part !== null).join(' '),
    customer.state,
    customer.country === null ? null : countryOf(customer.country),
    ...taxIdOf(customer.tax_id),
  ].filter((text): text is string => text !== null && text !== '');

const taxIdOf = (id: string | null | undefined) => (id ? [`Tax id ${id}`] : []);
const countryOf = (code: string) => isoCountries.getName(code, 'en') ?? code;

/** `1234.5` as `1,234.5`. */
const grouped = (digits: string) => digits.replace(/\B(?=(\d{3})+(?=\.))/g, ',');
const money = (amount: string) => grouped(amount).replace('-', '−');
/** Without the digits that say nothing. */
const shortly = (percent: string | null) => exact(percent ?? 0).toString();

const dayFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
const day = (time: Date) => dayFormat.format(time);
const moment = (time: string) => `${day(new Date(time))} ${time.slice(11, 16)} UTC`;
