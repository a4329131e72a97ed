import type { Page } from '@sluice/http';
import type { Core } from '../../core.ts';
import { batches } from '@sluice/main-store/rows';
import type { TenantPath } from '@sluice/main-store/tenants.store';
import {
  countLines,
  getInvoice,
  getLine,
  listLines,
  pageOfInvoices,
  pageOfLines,
  type InvoiceLineRow,
  type InvoiceRow,
} from './invoices.store.ts';
import { pageOfIntervals, type UsageIntervalRow } from './usage-intervals.store.ts';

interface InvoicePath extends TenantPath {
  invoice_id: number;
}

export type InvoicesService = ReturnType<typeof invoicesService>;

/** lines that an invoice is answered with; the document says as many */
const firstLines: Page = { page: 1, offset: 0, results: 1_000 };
/** lines that are in memory at a time */
const batch = 500;

/** The invoices of a tenant as they were issued (completions, "Billing"). */
export function invoicesService({ database }: Pick<Core, 'database'>) {
  const linesOf = ({ id }: InvoiceRow): AsyncGenerator<InvoiceLineRow[]> =>
    batches(
      0,
      (after) => listLines(database, id, after, batch),
      ({ n }) => n,
    );

  return {
    page: ({ tenant_id }: TenantPath, page: Page) => pageOfInvoices(database, tenant_id, page),

    /** With its first lines. @throws Problem `not_found` */
    async get({ tenant_id, invoice_id }: InvoicePath) {
      const invoice = await getInvoice(database, tenant_id, invoice_id);
      const [lines, count] = await pageOfLines(database, invoice.id, firstLines);
      return { invoice, count, lines };
    },

    /** @throws Problem `not_found` */
    async lines({ tenant_id, invoice_id }: InvoicePath, page: Page): Promise<[InvoiceLineRow[], number]> {
      const { id } = await getInvoice(database, tenant_id, invoice_id);
      return await pageOfLines(database, id, page);
    },

    /** @throws Problem `not_found` */
    async pdf({ tenant_id, invoice_id }: InvoicePath) {
      const invoice = await getInvoice(database, tenant_id, invoice_id);
      const counts = new Map(
        (await countLines(database, invoice.id)).map(({ kind, count }) => [kind, count]),
      );
      // its libraries take a good part of a start
      const { invoicePdf } = await import('@sluice/billing/invoice-pdf');
      return { name: `${invoice.reference}.pdf`, content: invoicePdf(invoice, counts, linesOf(invoice)) };
    },

    /** @throws Problem `not_found` */
    async intervals(
      { tenant_id, invoice_id, line_id }: InvoicePath & { line_id: number },
      page: Page,
    ): Promise<[UsageIntervalRow[], number]> {
      const { billed_id, month, closing } = await getLine(database, tenant_id, invoice_id, line_id);
      if (billed_id === null || month === null || closing === null) return [[], 0];
      return await pageOfIntervals(database, { billed_id, month, closing }, page);
    },
  };
}
