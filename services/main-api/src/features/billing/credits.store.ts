import type { TenantId } from '@sluice/contracts';
import { IsNull, LessThanOrEqual, MoreThan, Raw } from 'typeorm';
import type { Database } from '@sluice/main-store/database';
import { bigint, id, nullable, numeric, table, text, time, type RowOf } from '@sluice/main-store/columns';

/** Amounts that invoices use up. */
export const Credit = table('credits', {
  id: id<number>(),
  tenant_id: bigint<TenantId>(),
  amount: numeric<string>(),
  used: numeric<string>({ default: 0 }),
  expires_at: nullable(time()),
  reason: text(),
  withdrawn_at: nullable(time()),
  created_at: time({ createDate: true }),
});
export type CreditRow = RowOf<typeof Credit>;

/** Percent of the list price that a tenant does not pay, for whole months. */
const Discount = table('discounts', {
  id: id<number>(),
  tenant_id: bigint<TenantId>(),
  percent: numeric<string>(),
  valid_from: time(),
  valid_to: nullable(time()),
  reason: text(),
  created_at: time({ createDate: true }),
});

/** The discount of a tenant in a month. */
export const findDiscount = (db: Database, tenantId: TenantId, month: Date) =>
  db.manager.findOneBy(Discount, [
    { tenant_id: tenantId, valid_from: LessThanOrEqual(month), valid_to: MoreThan(month) },
    { tenant_id: tenantId, valid_from: LessThanOrEqual(month), valid_to: IsNull() },
  ]);

/** What is left of a tenant's credits that have not expired by `at`, locked: those that expire first before others. */
export const lockCredits = (tx: Database, tenantId: TenantId, at: Date): Promise<CreditRow[]> =>
  tx.manager.find(Credit, {
    where: {
      ...{ tenant_id: tenantId, withdrawn_at: IsNull() },
      used: Raw((column) => `${column} < amount`),
      expires_at: Raw((column) => `(${column} IS NULL OR ${column} >= :at)`, { at }),
    },
    order: { expires_at: { direction: 'ASC', nulls: 'LAST' }, id: 'ASC' },
    lock: { mode: 'pessimistic_write' },
  });

export const setUsed = (tx: Database, creditId: number, used: string) =>
  tx.manager.update(Credit, { id: creditId }, { used });
