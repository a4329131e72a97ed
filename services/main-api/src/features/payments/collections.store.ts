import type { TenantId } from '@sluice/contracts';
import { In } from 'typeorm';
import type { Database } from '@sluice/main-store/database';
import { bigint, integer, nullable, table, text, time, uuid, type RowOf } from '@sluice/main-store/columns';
import { firstOf, insertRow } from '@sluice/main-store/rows';
import { Invoice } from '../billing/invoices.store.ts';
import { exact, type Exact } from '@sluice/billing/money';

const Collection = table('collections', {
  invoice_id: bigint<number>({ primary: true }),
  tenant_id: bigint<TenantId>(),
  /** attempts on the present card, and the first of these */
  failures: integer({ default: 0 }),
  first_failed_at: nullable(time()),
  overdue_at: nullable(time()),
});
export type CollectionRow = RowOf<typeof Collection>;

const Charge = table('payment_charges', {
  /** the idempotency key at the provider */
  id: uuid({ primary: true }),
  tenant_id: bigint<TenantId>(),
  invoice_id: bigint<number>(),
  attempt: integer(),
  provider: text(),
  customer: text(),
  method: text(),
  reference: nullable(text()),
  status: text<'open' | 'succeeded' | 'failed'>({ default: 'open' }),
  failure: nullable(text()),
  created_at: time(),
  ended_at: nullable(time()),
});
export type ChargeRow = RowOf<typeof Charge>;

/** The collection of an invoice, which begins with the first look. The tenant is locked. */
export async function beginCollection(
  tx: Database,
  invoice_id: number,
  tenant_id: TenantId,
): Promise<CollectionRow> {
  const known = await tx.manager.findOneBy(Collection, { invoice_id });
  return known ?? (await insertRow(tx, Collection, { invoice_id, tenant_id }));
}

export const updateCollection = (tx: Database, invoice_id: number, changes: Partial<CollectionRow>) =>
  tx.manager.update(Collection, { invoice_id }, changes);

/** Locks an invoice against a second attempt to collect it. */
export const lockInvoice = (tx: Database, id: number) =>
  tx.manager.findOne(Invoice, { where: { id }, lock: { mode: 'pessimistic_write' } });

export const findOpenCharge = (db: Database, invoice_id: number) =>
  db.manager.findOneBy(Charge, { invoice_id, status: 'open' });

export const countCharges = (db: Database, invoice_id: number) => db.manager.countBy(Charge, { invoice_id });

export const insertCharge = (
  tx: Database,
  charge: Omit<ChargeRow, 'reference' | 'status' | 'failure' | 'ended_at'>,
) => insertRow(tx, Charge, charge);

/** Stores what became of an open charge. @returns false where that is known already */
export async function settleCharge(
  tx: Database,
  id: string,
  changes: Pick<ChargeRow, 'reference' | 'status' | 'failure' | 'ended_at'>,
): Promise<boolean> {
  const { affected } = await tx.manager.update(Charge, { id, status: 'open' }, changes);
  return affected === 1;
}

/** Begins again with another card for invoices whose charges have failed. */
export const restartCollections = (tx: Database, invoiceIds: number[]) =>
  tx.manager.update(Collection, { invoice_id: In(invoiceIds) }, { failures: 0, first_failed_at: null });

/** What a tenant owes for longer than it may, in US dollars. */
export async function overdueAmountOf(db: Database, tenantId: TenantId): Promise<Exact> {
  const row = await firstOf(
    db.query<{ owed: string }>(
      `SELECT coalesce(sum(total), 0) AS owed FROM collections c JOIN invoices i ON i.id = c.invoice_id
       WHERE c.tenant_id = $1 AND c.overdue_at IS NOT NULL AND i.paid_at IS NULL`,
      [tenantId],
    ),
  );
  return exact(row?.owed ?? 0);
}

/** What all tenants owe for longer than they may, and how many they are. */
export const overdueFigures = async (db: Database) =>
  await firstOf(
    db.query<{ amount: string; tenants: number }>(
      `SELECT coalesce(sum(total), 0) AS amount, count(DISTINCT c.tenant_id) AS tenants
       FROM collections c JOIN invoices i ON i.id = c.invoice_id
       WHERE c.overdue_at IS NOT NULL AND i.paid_at IS NULL`,
    ),
  );

/**
 * Issued invoices with something to pay whose collection was not requested yet, of tenants that are billed.
 * @param required whether all tenants need a payment method
 */
export const listUncollected = (db: Database, required: boolean, limit: number) =>
  db.query<{ id: number; tenant_id: TenantId }>(
    `SELECT i.id, i.tenant_id FROM invoices i
     WHERE i.paid_at IS NULL AND i.total > 0
       AND ($1 OR EXISTS (SELECT FROM payment_methods m WHERE m.tenant_id = i.tenant_id))
       AND EXISTS (SELECT FROM tenants t WHERE t.id = i.tenant_id)
       AND NOT EXISTS (SELECT FROM payment_work w WHERE w.kind = 'invoice' AND w.subject = i.id::text)
     ORDER BY i.id LIMIT $2`,
    [required, limit],
  );
