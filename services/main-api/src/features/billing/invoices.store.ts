import type { Cloud, DeploymentId, DivisionId, EnvironmentId, TenantId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { IsNull, MoreThan } from 'typeorm';
import type { Database } from '@sluice/main-store/database';
import {
  bigint,
  boolean,
  integer,
  jsonb,
  nullable,
  numeric,
  table,
  text,
  time,
  type RowOf,
} from '@sluice/main-store/columns';
import { existing, firstOf, pageOfRows } from '@sluice/main-store/rows';
import type { LineKind, Missing, TaxRule } from '@sluice/billing/invoice';
import type { BillingInfo } from './billing-info.store.ts';
import { exact, type Exact } from '@sluice/billing/money';
import type { Seller } from '@sluice/billing/seller';

/** amounts are exact decimals, as text */
const amount = numeric<string>;

export const Invoice = table('invoices', {
  // its lines have it before
  id: bigint<number>({ primary: true }),
  tenant_id: bigint<TenantId>(),
  number: bigint<number>(),
  reference: text(),
  month: time(),
  currency: text<'USD'>(),
  subtotal: amount(),
  discount: amount(),
  credit: amount(),
  tax: amount(),
  total: amount(),
  tax_rule: text<TaxRule>(),
  tax_country: text(),
  tax_rate: amount(),
  seller: jsonb<Seller>(),
  customer: jsonb<BillingInfo>(),
  missing: jsonb<Missing[]>(),
  issued_at: time(),
  due_at: time(),
  paid_at: nullable(time()),
});
export type InvoiceRow = RowOf<typeof Invoice>;

export const InvoiceLine = table('invoice_lines', {
  invoice_id: bigint<number>({ primary: true }),
  n: integer({ primary: true }),
  kind: text<LineKind>(),
  month: nullable(time()),
  amount: amount(),
  percent: nullable(amount()),
  credit_id: nullable(bigint<number>()),
  billed_id: nullable(bigint<number>()),
  closing: nullable(integer()),
  deployment_id: nullable(bigint<DeploymentId>()),
  name: nullable(text()),
  division_id: nullable(bigint<DivisionId>()),
  division_name: nullable(text()),
  environment_id: nullable(bigint<EnvironmentId>()),
  environment_name: nullable(text()),
  cloud: nullable(text<Cloud>()),
  region: nullable(text()),
  seconds: nullable(amount()),
  compute: nullable(amount()),
  storage: nullable(amount()),
  network: nullable(amount()),
  telemetry: nullable(amount()),
  data_retention: nullable(amount()),
});
export type InvoiceLineRow = RowOf<typeof InvoiceLine>;

export const insertInvoice = (tx: Database, invoice: InvoiceRow) => tx.manager.insert(Invoice, invoice);

/** The invoices of a tenant that are issued and not paid, oldest first. */
export const listOpenInvoices = (db: Database, tenantId: TenantId): Promise<InvoiceRow[]> =>
  db.manager.find(Invoice, { where: { tenant_id: tenantId, paid_at: IsNull() }, order: { number: 'ASC' } });

/** What a tenant owes in US dollars: the totals of its invoices that are not paid. */
export async function balanceOf(db: Database, tenantId: TenantId): Promise<Exact> {
  const row = await firstOf(
    db.query<{ owed: string }>(
      'SELECT coalesce(sum(total), 0) AS owed FROM invoices WHERE tenant_id = $1 AND paid_at IS NULL',
      [tenantId],
    ),
  );
  return exact(row?.owed ?? 0);
}

/** Records that an invoice is paid. @returns false when it is already, or there is none */
export async function markPaid(tx: Database, invoiceId: number, at: Date): Promise<boolean> {
  const { affected } = await tx.manager.update(
    Invoice,
    { id: invoiceId, paid_at: IsNull() },
    { paid_at: at },
  );
  return affected === 1;
}

/** One row: the number that was given last. */
table('invoice_numbers', {
  singleton: boolean({ primary: true }),
  last: bigint<number>(),
});

export const pageOfInvoices = (
  db: Database,
  tenantId: TenantId,
  page: Page,
): Promise<[InvoiceRow[], number]> =>
  pageOfRows<InvoiceRow>(db, page, 'invoices WHERE tenant_id = $1', [tenantId], { by: 'number' });

/** @throws Problem `not_found` */
export const getInvoice = (db: Database, tenantId: TenantId, invoiceId: number) =>
  existing(db.manager.findOneBy(Invoice, { tenant_id: tenantId, id: invoiceId }));

/** At most `limit` lines of an invoice behind the line `after`, in their order. */
export const listLines = (db: Database, invoiceId: number, after: number, limit: number) =>
  db.manager.find(InvoiceLine, {
    where: { invoice_id: invoiceId, n: MoreThan(after) },
    order: { n: 'ASC' },
    take: limit,
  });

/** A page of the lines of an invoice, in their order, and how many there are. */
export const pageOfLines = (
  db: Database,
  invoiceId: number,
  page: Page,
): Promise<[InvoiceLineRow[], number]> =>
  pageOfRows<InvoiceLineRow>(
    db,
    page,
    '(SELECT *, n AS id FROM invoice_lines) l WHERE invoice_id = $1',
    [invoiceId],
    { by: 'n', direction: 'ASC' },
  );

/** A line of a tenant's invoice. @throws Problem `not_found` */
export const getLine = (db: Database, tenantId: TenantId, invoiceId: number, n: number) =>
  existing(
    firstOf(
      db.query<InvoiceLineRow>(
        `SELECT l.* FROM invoices i JOIN invoice_lines l ON l.invoice_id = i.id
         WHERE i.tenant_id = $1 AND i.id = $2 AND l.n = $3::bigint`,
        [tenantId, invoiceId, n],
      ),
    ),
  );

/** How many lines an invoice has, by their kinds. */
export const countLines = (db: Database, invoiceId: number) =>
  db.query<{ kind: LineKind; count: number }>(
    'SELECT kind, count(*) FROM invoice_lines WHERE invoice_id = $1 GROUP BY kind',
    [invoiceId],
  );
