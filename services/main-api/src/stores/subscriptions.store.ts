import type { TenantId } from '@sluice/contracts';
import type { Database } from '../database.ts';
import { newRow } from './rows.ts';
import { Subscription, type SubscriptionRow } from './subscriptions.entity.ts';

/** A subscription with the ends of its present month. */
export interface SubscriptionWithMonth extends SubscriptionRow {
  valid_from: Date;
  valid_to: Date;
}

export async function findSubscription(
  db: Database,
  tenantId: TenantId,
): Promise<SubscriptionWithMonth | undefined> {
  const [subscription] = await db.query<SubscriptionWithMonth>(
    `SELECT s.*,
       s.created_at + make_interval(months => month) AS valid_from,
       s.created_at + make_interval(months => month + 1) AS valid_to
     FROM subscriptions s, age(now(), s.created_at) AS age,
       LATERAL (SELECT (extract(year FROM age) * 12 + extract(month FROM age))::int AS month) present
     WHERE s.tenant_id = $1`,
    [tenantId],
  );
  return subscription;
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
