import type { Plan, TenantId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import { idColumn } from './columns.ts';

export interface SubscriptionRow {
  id: number;
  tenant_id: TenantId;
  plan: Plan;
  active: boolean;
  created_at: Date;
}

export const Subscription = new EntitySchema<SubscriptionRow>({
  name: 'subscription',
  tableName: 'subscriptions',
  columns: {
    id: idColumn,
    tenant_id: { type: 'bigint' },
    plan: { type: 'text' },
    active: { type: 'boolean', default: true },
    created_at: { type: 'timestamptz', createDate: true },
  },
});
