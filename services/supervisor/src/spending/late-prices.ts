import { monthlyCentsOf, type PriceChange } from '@sluice/contracts';
import type { Tx } from '@sluice/region-store/tables';
import type { Deployment } from '@sluice/region-store/deployments.store';
import { billedFor } from './rate.ts';
import { findSpending, storeSpending } from './spending.store.ts';
import { deleteUsage, listUsageSince, storeUsage, type Usage } from './usage.store.ts';
import { reportUsage } from './usage.ts';

/**
 * Corrects what was counted by a former price list, since main-api's commands did not arrive in time: intervals of the present shape from
 * the second of the new list on, and the meter of the month. main-api stores the same, whichever arrives first. To be called once the
 * spending is settled. @returns whether anything was corrected
 */
export async function correctLatePrices(tx: Tx, deployment: Deployment, now: Date): Promise<boolean> {
  const changes = (deployment.spec.limits.price_changes ?? []).filter(({ from }) => new Date(from) < now);
  const first = changes[0];
  if (!first) return false;
  let centSeconds = 0;
  const spending = await findSpending(tx.db, deployment.id);
  const usages = await listUsageSince(tx.db, deployment.uid, new Date(first.from));
  const late = usages.flatMap((usage) => {
    const parts = correctedParts(deployment, usage, changes);
    return parts.length > 1 || parts[0]?.billed !== usage.billed ? [{ usage, parts }] : [];
  });
  for (const { usage, parts } of late) {
    await deleteUsage(tx.db, usage);
    for (const part of parts) {
      const stored = await storeUsage(tx.db, part);
      if (part.billed === usage.billed) continue;
      if (deployment.unknown_since === null) reportUsage(tx, stored);
      if (!spending || part.started_at < spending.month) continue;
      const seconds = (part.ended_at.getTime() - part.started_at.getTime()) / 1000;
      centSeconds += seconds * (monthlyCentsOf(part.billed.price) - monthlyCentsOf(usage.billed.price));
    }
  }
  if (spending && centSeconds !== 0)
    await storeSpending(tx.db, {
      ...spending,
      billed: JSON.stringify(spending.billed),
      price_changes: JSON.stringify(spending.price_changes),
      cent_seconds: spending.cent_seconds + centSeconds,
    });
  return late.length > 0;
}

/** An interval in parts, each at the price that was valid; itself where that is so already. */
function correctedParts(deployment: Deployment, usage: Usage, changes: readonly PriceChange[]): Usage[] {
  const parts: Usage[] = [];
  let rest = usage;
  for (const { from, price } of changes) {
    const start = new Date(from);
    const billed = billedFor(deployment, price);
    if (start >= rest.ended_at || !isSameShape(billed, usage.billed) || price.list === rest.billed.price.list)
      continue;
    if (start > rest.started_at) parts.push({ ...rest, ended_at: start });
    rest = { ...rest, billed, started_at: start > rest.started_at ? start : rest.started_at };
  }
  return [...parts, rest];
}

type Billed = Usage['billed'];
const isSameShape = (one: Billed, other: Billed) =>
  one.tier === other.tier &&
  one.nodes === other.nodes &&
  one.storage.type === other.storage.type &&
  one.storage.size === other.storage.size;
