import { isDeepStrictEqual } from 'node:util';
import { monthlyCentsOf, firstOfMonth } from '@sluice/contracts';
import type { Outgoing } from '@sluice/messaging';
import type { Billed, Tx } from '@sluice/region-store/tables';
import type { Deployment } from '@sluice/region-store/deployments.store';

import type { Spending } from './spending.store.ts';
import { listUsage, storeUsage, type KnownUsage, type Usage } from './usage.store.ts';

type Interval = Pick<Usage, 'started_at' | 'ended_at'>;
/** The usage of a deployment that goes on. */
type Going = Pick<Spending, 'billed' | 'usage_from' | 'usage_to'>;
type Settled = Going & Pick<Spending, 'metered_to' | 'monthly_cents'>;

/**
 * Stores and reports what a deployment has used since it was settled last, at the price that it had: the same span that the meter of its
 * spend limit counts. What release 1.0.0 has counted is not reported.
 * @param meteredTo until when its meter has counted
 * @param billed from then on; null while it costs nothing
 * @returns what goes on from now on
 */
export async function settleUsage(
  tx: Tx,
  deployment: Deployment,
  known: Settled | undefined,
  meteredTo: Date,
  billed: Billed | null,
): Promise<Going> {
  const usage_from = known ? await report(tx, deployment, known, meteredTo) : null;
  const goesOn = billed !== null && isDeepStrictEqual(billed, known?.billed) && usage_from !== null;
  return { billed, usage_to: meteredTo, usage_from: goesOn ? usage_from : meteredTo };
}

/** @returns since when the last interval runs, or null where there is none */
async function report(
  tx: Tx,
  { id, uid, unknown_since }: Deployment,
  known: Settled,
  to: Date,
): Promise<Date | null> {
  const { billed, metered_to, monthly_cents, usage_from, usage_to } = known;
  if (!billed || monthly_cents !== monthlyCentsOf(billed.price)) return null;
  // a replica of release 1.0.0 has settled it in between: what it has counted may have had another price
  const from = usage_to?.getTime() === metered_to.getTime() ? usage_from : null;
  if (to <= metered_to) return from;
  const intervals = byMonth({ started_at: from ?? metered_to, ended_at: to });
  for (const interval of intervals) {
    const usage = { ...interval, deployment_uid: uid, deployment_id: id, billed };
    const stored = await storeUsage(tx.db, usage);
    // one that main-api does not know is reported once it does
    if (unknown_since === null) reportUsage(tx, stored);
  }
  return intervals.at(-1)?.started_at ?? null;
}

/** An interval in parts of which each is within a month of the calendar (UTC). */
function byMonth({ started_at, ended_at }: Interval): Interval[] {
  const next = firstOfMonth(started_at, 1);
  if (ended_at <= next) return [{ started_at, ended_at }];
  return [{ started_at, ended_at: next }, ...byMonth({ started_at: next, ended_at })];
}

/** Reports all usage of a deployment again that the region remembers: main-api does not have all of it. */
export async function reportUsageAgain(tx: Tx, uid: string): Promise<void> {
  for (const usage of await listUsage(tx.db, uid)) reportUsage(tx, usage);
}

export function reportUsage(
  tx: Outgoing,
  { deployment_id, deployment_uid, billed, started_at, ended_at, known_since }: KnownUsage,
): void {
  tx.report('usage', {
    ...(known_since && { known_since: known_since.toISOString() }),
    ...{ deployment_id, uid: deployment_uid, ...billed },
    ...{ from: started_at.toISOString(), to: ended_at.toISOString() },
  });
}
