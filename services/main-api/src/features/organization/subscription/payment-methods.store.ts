import type { TenantId } from '@sluice/contracts';
import { IsNull, MoreThan } from 'typeorm';
import type { Database } from '../../../database.ts';
import { bigint, nullable, table, text, time } from '../../../stores/columns.ts';

export const PaymentMethod = table('payment_methods', {
  tenant_id: bigint<TenantId>({ primary: true }),
  kind: text<'card' | 'invoice'>(),
  /** null: until it is taken back */
  valid_to: nullable(time()),
  created_at: time({ createDate: true }),
});

export async function validPaymentMethodExists(
  db: Database,
  tenantId: TenantId,
  now: Date,
): Promise<boolean> {
  const of = { tenant_id: tenantId };
  return await db.manager.existsBy(PaymentMethod, [
    { ...of, valid_to: IsNull() },
    { ...of, valid_to: MoreThan(now) },
  ]);
}
