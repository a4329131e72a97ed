import type { Features, Plan, TenantId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import type { Database } from '../database.ts';
import { newRow } from './rows.ts';
import { Subscription, type SubscriptionRow } from './subscriptions.entity.ts';

/** A subscription with the ends of its present month. */
export interface SubscriptionWithMonth extends SubscriptionRow {
  valid_from: Date;
  valid_to: Date;
}

/** @throws Problem `not_found` */
export async function getSubscription(db: Database, tenantId: TenantId): Promise<SubscriptionWithMonth> {
  const [subscription] = await db.query<SubscriptionWithMonth>(
    `SELECT s.*,
       s.created_at + make_interval(months => month) AS valid_from,
       s.created_at + make_interval(months => month + 1) AS valid_to
     FROM subscriptions s, age(now(), s.created_at) AS age,
       LATERAL (SELECT (extract(year FROM age) * 12 + extract(month FROM age))::int AS month) present
     WHERE s.tenant_id = $1`,
    [tenantId],
  );
  if (!subscription) throw problem('not_found');
  return subscription;
}

export async function updatePlan(db: Database, tenantId: TenantId, plan: Plan): Promise<void> {
  await db.manager.update(Subscription, { tenant_id: tenantId }, { plan });
}

/** Notes what is told of the plan. @returns the version that it has, or undefined where the same was told last */
export async function updateFeaturesTold(
  db: Database,
  tenantId: TenantId,
  features: Features,
): Promise<number | undefined> {
  const [told] = await db.query<{ features_version: number }>(
    `WITH told AS (
       UPDATE subscriptions SET features_told = $2, features_version = features_version + 1
       WHERE tenant_id = $1 AND features_told IS DISTINCT FROM $2::jsonb
       RETURNING features_version)
     SELECT features_version FROM told`,
    [tenantId, JSON.stringify(features)],
  );
  return told && Number(told.features_version);
}

export async function insertSubscription(
  db: Database,
  subscription: Pick<SubscriptionRow, 'tenant_id' | 'plan'>,
): Promise<void> {
  await db.manager.insert(Subscription, newRow(db, Subscription, subscription));
}

export async function deleteSubscriptionOf(db: Database, tenantId: TenantId): Promise<void> {
  await db.manager.delete(Subscription, { tenant_id: tenantId });
}
