import { costParts, statusIs, type CostPart, type TenantId, firstOfMonth } from '@sluice/contracts';
import { priceOf } from '@sluice/catalogue/deployment-prices';
import type { Core } from '../../core.ts';
import type { PlacedDeployment } from '@sluice/main-store/deployments.store';
import { exact, sumOf, toCents, totalOf, zero, type CentSeconds, type Exact } from '@sluice/billing/money';

import { listDeploymentUsage, type DeploymentUsage, type UsageScope } from './usage.store.ts';

/** A deployment that may run on. */
export interface Running {
  deployment: PlacedDeployment;
  /** from when on its cost counts; that of the month unless given */
  since?: Date;
}

interface Metered extends Partial<Running> {
  usage?: DeploymentUsage;
}

/**
 * What the running month of a tenant, or of a part of it, has cost until now, and will cost if everything goes on as it is. Each
 * deployment is rounded once, as in its report.
 */
export async function monthCost(
  { database, prices, now }: Pick<Core, 'database' | 'prices' | 'now'>,
  tenantId: TenantId,
  running: readonly Running[],
  scope: UsageScope = {},
) {
  const at = now();
  const [from, end] = [firstOfMonth(at), firstOfMonth(at, 1)];
  const used = await listDeploymentUsage(database, tenantId, { from, to: at }, scope);
  const byUid = new Map<string, Metered>(used.map((usage) => [usage.uid, { usage }]));
  for (const one of running) byUid.set(one.deployment.uid, { ...byUid.get(one.deployment.uid), ...one });
  const metered = [...byUid.values()];
  const costs = (to: Date) => metered.map((one) => costUntil(prices, to, from, one));
  const total = (amounts: CentSeconds[]) => sumOf(amounts.map((amount) => toCents(totalOf(amount))));
  const costsNow = costs(at);
  return {
    ...{ from, to: at, total: total(costsNow), forecast: total(costs(end)) },
    parts: byPart((part) => sumOf(costsNow.map((amount) => exact(amount[part])))),
  };
}

/** What a deployment costs until `to`: what runs on costs, from the end of the usage that is reported, the prices that are valid by then. */
function costUntil(
  prices: Core['prices'],
  to: Date,
  from: Date,
  { usage, deployment, since: begin = from }: Metered,
): CentSeconds {
  const reported = usage ?? nothing;
  if (!deployment || !statusIs('billable', deployment.status) || deployment.delete_requested_at)
    return reported;
  const { status_changed_at, created_at } = deployment;
  const since = Math.max(
    // since a restore the region has counted nothing that it had not reported before
    ...[begin, usage?.last_to ?? from, usage?.known_since ?? from, status_changed_at ?? created_at].map(
      (time) => time.getTime(),
    ),
  );
  const lists = prices.since(deployment.tenant_id, new Date(since));
  const costs = lists.map(({ from: start, list }, position) => {
    const end = Math.min(to.getTime(), lists[position + 1]?.from.getTime() ?? Infinity);
    const seconds = Math.max(0, Math.floor((end - start.getTime()) / 1000));
    return { price: priceOf(list, deployment), seconds };
  });
  return byPart((part) =>
    costs.reduce(
      (sum, { price, seconds }) => sum.plus(exact(price?.[part] ?? 0).times(seconds)),
      exact(reported[part]),
    ),
  );
}

const byPart = (amount: (part: CostPart) => Exact) =>
  Object.fromEntries(costParts.map((part) => [part, amount(part)])) as Record<CostPart, Exact>;
const nothing: CentSeconds = byPart(() => zero);
