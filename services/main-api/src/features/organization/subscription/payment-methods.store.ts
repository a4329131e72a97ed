import type { TenantId } from '@sluice/contracts';
import { IsNull, MoreThan } from 'typeorm';
import type { Database } from '../../../database.ts';
import { PaymentMethod } from './payment-methods.entity.ts';

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
