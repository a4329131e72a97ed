import type { Features, Plan, TenantId } from '@sluice/contracts';
import type { Database } from '@sluice/main-store/database';
import { existing, firstOf, insertRow } from '@sluice/main-store/rows';
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
} from '@sluice/main-store/columns';

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

export interface SubscriptionWithMonth extends SubscriptionRow {
  valid_from: Date;
  valid_to: Date;
}

export const getSubscription = (db: Database, tenantId: TenantId) =>
  existing(
    firstOf(
      db.query<SubscriptionWithMonth>(
        `SELECT s.*,
           s.created_at + make_interval(months => month) AS valid_from,
           s.created_at + make_interval(months => month + 1) AS valid_to
         FROM subscriptions s, age(now(), s.created_at) AS age,
           LATERAL (SELECT (extract(year FROM age) * 12 + extract(month FROM age))::int AS month) present
         WHERE s.tenant_id = $1`,
        [tenantId],
      ),
    ),
  );

export const updatePlan = (db: Database, tenantId: TenantId, plan: Plan) =>
  db.manager.update(Subscription, { tenant_id: tenantId }, { plan });

/** Stores the features to publish. @returns their version, or undefined where the same were published last */
export async function updatePublishedFeatures(
  db: Database,
  tenantId: TenantId,
  features: Features,
): Promise<number | undefined> {
  const [published] = await db.query<{ features_version: number }>(
    `UPDATE subscriptions SET published_features = $2, features_version = features_version + 1
     WHERE tenant_id = $1 AND published_features IS DISTINCT FROM $2::jsonb RETURNING features_version`,
    [tenantId, JSON.stringify(features)],
  );
  return published && Number(published.features_version);
}

export const insertSubscription = (db: Database, subscription: Pick<SubscriptionRow, 'tenant_id' | 'plan'>) =>
  insertRow(db, Subscription, subscription);

export const deleteSubscriptionOf = (db: Database, tenantId: TenantId) =>
  db.manager.delete(Subscription, { tenant_id: tenantId });
