import { centSecondsPerDollar, costParts, type TenantId } from '@sluice/contracts';
import type { Database } from '@sluice/main-store/database';
import { firstOf } from '@sluice/main-store/rows';
import { exact, type Exact } from '@sluice/billing/money';

/** What a tenant has used and no invoice has, in US dollars at list price: a deployment's month is rounded once, half up. */
export async function uninvoicedOf(db: Database, tenantId: TenantId): Promise<Exact> {
  const cents = costParts.map((part) => `u.${part}`).join(' + ');
  const row = await firstOf(
    db.query<{ amount: string }>(
      `SELECT coalesce(sum(amount), 0) AS amount FROM (
         SELECT round(sum(extract(epoch FROM u.ended_at - u.started_at) * (${cents})) / ${centSecondsPerDollar}, 2) AS amount
         FROM billed_deployments b
         JOIN usage_months m ON m.billed_id = b.id AND m.open
         JOIN usage_intervals u ON u.billed_id = b.id AND u.closing >= m.closings
           AND u.started_at >= m.month AND u.started_at < m.month + interval '1 month'
         WHERE b.tenant_id = $1 GROUP BY b.id, m.month) months`,
      [tenantId],
    ),
  );
  return exact(row?.amount ?? 0);
}
