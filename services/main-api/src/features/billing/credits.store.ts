import type { TenantId } from '@sluice/contracts';
import { bigint, id, nullable, numeric, table, text, time, type RowOf } from '../../stores/columns.ts';

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
export const Discount = table('discounts', {
  id: id<number>(),
  tenant_id: bigint<TenantId>(),
  percent: numeric<string>(),
  valid_from: time(),
  valid_to: nullable(time()),
  reason: text(),
  created_at: time({ createDate: true }),
});
