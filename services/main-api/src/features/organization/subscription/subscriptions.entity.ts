import type { Features, Plan, TenantId } from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import { idColumn } from '../../../stores/columns.ts';

export interface SubscriptionRow {
  id: number;
  tenant_id: TenantId;
  plan: Plan;
  active: boolean;
  created_at: Date;
  /** what the other services were told last of what the plan allows */
  published_features: Features | null;
  features_version: number;
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
    published_features: { type: 'jsonb', nullable: true },
    features_version: { type: 'bigint', default: 0 },
  },
});
