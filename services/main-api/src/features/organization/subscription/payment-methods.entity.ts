import type { TenantId } from '@sluice/contracts';
import { bigint, nullable, table, text, time } from '../../../stores/columns.ts';

export const PaymentMethod = table('payment_methods', {
  tenant_id: bigint<TenantId>({ primary: true }),
  kind: text<'card' | 'invoice'>(),
  /** null: until it is taken back */
  valid_to: nullable(time()),
  created_at: time({ createDate: true }),
});
