import type { TenantId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';

export interface PaymentMethodRow {
  tenant_id: TenantId;
  kind: 'card' | 'invoice';
  /** null: until it is taken back */
  valid_to: Date | null;
  created_at: Date;
}

export const PaymentMethod = new EntitySchema<PaymentMethodRow>({
  name: 'payment_method',
  tableName: 'payment_methods',
  columns: {
    tenant_id: { type: 'bigint', primary: true },
    kind: { type: 'text' },
    valid_to: { type: 'timestamptz', nullable: true },
    created_at: { type: 'timestamptz', createDate: true },
  },
});
