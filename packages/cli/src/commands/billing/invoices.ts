import {
  getInvoice,
  getInvoicePdf,
  listInvoiceIntervals,
  listInvoices,
  paginate,
  type BillingInfo,
  type Invoice,
  type InvoiceItem,
  type InvoiceLine,
  type UsageInterval,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { writeSecretFile, type OutFlags } from '../../files.ts';
import { first } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { capital, inTenant, verbsOf, type TenantCall } from '../entries/entries.ts';

const withId = ({ path, ...call }: TenantCall, invoice_id: number) => ({
  ...call,
  path: { ...path, invoice_id },
});

const addressOf = ({ name, company, address, city, postal_code: code, country }: BillingInfo): string =>
  [company, name, address, [code, city].filter(Boolean).join(' '), country].filter(Boolean).join(', ');

/** such as `usage of payments/prod/orders, 2026-10-01 to 2026-11-01` */
function titleOf({ kind, division, environment, deployment, from, to, percent }: InvoiceLine): string {
  const place = [division, environment, deployment].flatMap((one) => (one ? [one.name] : [])).join('/');
  const days = from && to ? `, ${from.slice(0, 10)} to ${to.slice(0, 10)}` : '';
  return `${kind}${percent === undefined ? '' : ` ${percent} %`}${place && ` of ${place}`}${days}`;
}

const detail: View<Invoice> = {
  name: ({ id }) => String(id),
  columns: [],
  fields: (invoice) => [
    ['Id', invoice.id],
    ['Reference', invoice.reference],
    ['From', invoice.from],
    ['To', invoice.to],
    ['Issued', invoice.issued_at],
    ['Due', invoice.due_at],
    ['Paid', invoice.paid_at],
    ['Seller', [invoice.seller.name, ...invoice.seller.address].join(', ')],
    ['Customer', addressOf(invoice.customer)],
    ['Taxed', `${invoice.tax.rule.replaceAll('_', ' ')}, ${invoice.tax.country}, ${invoice.tax.rate} %`],
    ...invoice.lines.map((line) => [`Line ${line.n}`, `$${line.amount_usd}  ${titleOf(line)}`] as const),
    ['Subtotal', `$${invoice.subtotal_usd}`],
    ['Discount', `$${invoice.discount_usd}`],
    ['Credit', `$${invoice.credit_usd}`],
    ['Tax', `$${invoice.tax_usd}`],
    ['Total', `$${invoice.total_usd}`],
    ...invoice.missing.map(
      ({ cloud, region, usage_to }) =>
        [
          `Missing of ${cloud}/${region}`,
          usage_to === null ? 'all' : `what it used after ${usage_to}`,
        ] as const,
    ),
  ],
};

export const invoices = verbsOf<TenantCall, InvoiceItem, Invoice>({
  noun: 'billing invoices',
  one: 'invoice',
  at: inTenant,
  read: (call) => paginate(listInvoices, call),
  view: {
    name: ({ id }) => String(id),
    empty: 'There is no invoice.',
    columns: [
      { header: 'REFERENCE', value: ({ reference }) => reference },
      { header: 'FROM', value: ({ from }) => from },
      { header: 'DOLLARS', value: ({ total_usd }) => total_usd },
      { header: 'DUE', value: ({ due_at }) => due_at },
      { header: 'PAID', value: ({ paid_at }) => paid_at },
      { header: 'ID', value: ({ id }) => id, wide: true },
      { header: 'ISSUED', value: ({ issued_at }) => issued_at, wide: true },
      { header: 'TAX', value: ({ tax_usd }) => tax_usd, wide: true },
    ],
  },
  id: ({ id }) => id,
  name: ({ reference }) => reference,
  get: (call, id) => getInvoice(withId(call, id)),
  detail,
});

export async function pdf(cli: Cli, text: string, { out }: OutFlags): Promise<void> {
  const { call, id, item, title } = await invoices.find(cli, text);
  const file = out ?? `${item.reference}.pdf`;
  const { data } = await getInvoicePdf({ ...withId(call, id), parseAs: 'stream' });
  await writeSecretFile(file, data as unknown as AsyncIterable<Uint8Array>);
  cli.say(capital(`${title} is in ${file}.`));
}

const intervalView: View<UsageInterval> = {
  name: ({ from }) => from,
  empty: 'The line has no usage.',
  columns: [
    { header: 'FROM', value: ({ from }) => from },
    { header: 'TO', value: ({ to }) => to },
    { header: 'TIER', value: ({ tier }) => tier },
    { header: 'NODES', value: ({ nodes }) => nodes },
    {
      header: 'STORAGE',
      value: ({ storage_type: type, storage_size: size }) => `${size ?? ''} ${type}`.trim(),
    },
    { header: 'DOLLARS', value: ({ total_usd }) => total_usd },
    { header: 'SECONDS', value: ({ seconds }) => seconds, wide: true },
  ],
};

export async function intervals(
  cli: Cli,
  text: string,
  line_id: number,
  { limit }: { limit?: number },
): Promise<void> {
  const { call, id } = await invoices.find(cli, text);
  const { path, ...own } = withId(call, id);
  const all = paginate(listInvoiceIntervals, { ...own, path: { ...path, line_id } });
  await cli.output.list(first(all, limit), intervalView);
}
