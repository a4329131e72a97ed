import type { Features, Plan, TenantId } from '@sluice/contracts';
import {
  bigint,
  boolean,
  id,
  jsonb,
  nullable,
  table,
  text,
  time,
  type RowOf,
} from '../../../stores/columns.ts';

export const Subscription = table('subscriptions', {
  id: id<number>(),
  tenant_id: bigint<TenantId>(),
  plan: text<Plan>(),
  active: boolean({ default: true }),
  created_at: time({ createDate: true }),
  /** the features of the plan as the other services got them last */
  published_features: nullable(jsonb<Features>()),
  features_version: bigint({ default: 0 }),
});
export type SubscriptionRow = RowOf<typeof Subscription>;
