import { costParts } from '@sluice/contracts';
import { ok, paged, shown, type Handlers } from '@sluice/http';
import type { components, operations } from '../../generated/api.ts';
import type { InvoicesService } from './invoices.service.ts';
import type { InvoiceLineRow, InvoiceRow } from './invoices.store.ts';
import {
  exact,
  shownExactly,
  shownMonthly,
  shownParts,
  totalOf,
  type CentSeconds,
} from '@sluice/billing/money';
import { monthsAfter } from '@sluice/billing/months';
import type { UsageIntervalRow } from './usage-intervals.store.ts';

type Schemas = components['schemas'];

export const invoicesOperations = (invoices: InvoicesService) =>
  ({
    listInvoices: ({ params, query, url }) =>
      paged({ query, url }, (page) => invoices.page(params, page), invoiceItem),

    async getInvoice({ params }) {
      const { invoice, count, lines } = await invoices.get(params);
      const { seller, customer, missing } = invoice;
      return ok({
        ...invoiceItem(invoice),
        seller: sellerView(seller),
        ...{ customer, missing },
        tax: { rule: invoice.tax_rule, country: invoice.tax_country, rate: invoice.tax_rate },
        line_count: count,
        lines: lines.map(lineView),
      });
    },

    async getInvoicePdf({ params }) {
      const { name, content } = await invoices.pdf(params);
      const headers = { 'content-disposition': `attachment; filename="${name}"` };
      return { ...ok(undefined), raw: { type: 'application/pdf', headers, content } };
    },

    listInvoiceLines: ({ params, query, url }) =>
      paged({ query, url }, (page) => invoices.lines(params, page), lineView),

    listInvoiceIntervals: ({ params, query, url }) =>
      paged({ query, url }, (page) => invoices.intervals(params, page), intervalView),
  }) satisfies Partial<Handlers<operations>>;

const monthView = (month: Date) => ({ from: month.toISOString(), to: monthsAfter(month, 1).toISOString() });

const invoiceItem = (invoice: InvoiceRow): Schemas['InvoiceItem'] => ({
  ...shown(invoice, 'id', 'number', 'reference', 'currency', 'issued_at', 'due_at', 'paid_at'),
  ...monthView(invoice.month),
  subtotal_usd: invoice.subtotal,
  discount_usd: invoice.discount,
  credit_usd: invoice.credit,
  tax_usd: invoice.tax,
  total_usd: invoice.total,
});

const sellerView = ({ name, address, country, tax_id }: InvoiceRow['seller']): Schemas['InvoiceSeller'] => ({
  ...{ name, address, country },
  ...(tax_id !== undefined && { tax_id }),
});

const placeView = (id: number | null, name: string | null) => ({ id: id ?? 0, name: name ?? '' });

function lineView(line: InvoiceLineRow): Schemas['InvoiceLine'] {
  const { n, kind, amount, month, percent, credit_id, cloud, region } = line;
  return {
    ...{ n, kind, amount_usd: amount },
    ...(month && monthView(month)),
    ...(percent !== null && { percent }),
    ...(credit_id !== null && { credit_id }),
    ...(cloud !== null &&
      region !== null && {
        deployment: placeView(line.deployment_id, line.name),
        division: placeView(line.division_id, line.division_name),
        environment: placeView(line.environment_id, line.environment_name),
        ...{ cloud, region, seconds: Number(line.seconds) },
        breakdown: shownParts(partsOf(line)),
      }),
  };
}

const partsOf = (line: InvoiceLineRow) =>
  Object.fromEntries(costParts.map((part) => [part, line[part] ?? 0])) as CentSeconds;

function intervalView(interval: UsageIntervalRow): Schemas['UsageInterval'] {
  const { started_at, ended_at, tier, nodes, storage_type, storage_size } = interval;
  const seconds = exact(ended_at.getTime() - started_at.getTime()).div(1000);
  const cost = costParts.map((part) => [part, seconds.times(interval[part])] as const);
  return {
    ...{ from: started_at.toISOString(), to: ended_at.toISOString(), seconds: seconds.toNumber() },
    ...{ tier, nodes, storage_type, storage_size },
    month: shownMonthly(interval),
    total_usd: shownExactly(totalOf(Object.fromEntries(cost) as CentSeconds)),
  };
}
