import { firstOfMonth } from '@sluice/contracts';
import type { DeploymentId } from '@sluice/contracts';
import type { Tx } from '@sluice/region-store/tables';
import {
  findLocked,
  raiseRevision,
  changeDeployment,
  nameAndCode,
  subjectsOf,
  type Deployment,
} from '@sluice/region-store/deployments.store';
import { suspension } from './suspension.ts';
import { scheduleNow } from '@sluice/region-store/reconciliations.store';
import { rateFor, rateOf, type Rate } from './rate.ts';
import { settleUsage } from './usage.ts';
import { findSpending, storeSpending, type Spending } from './spending.store.ts';
import { advanced, newMeter, reachesAt, secondsPerPrice, spentCents, type Meter } from './meter.ts';

/**
 * Counts and reports what a deployment has cost until now, by the price that it had, and goes by what it is from now on: its status, price and spend
 * limit. One that has reached its limit has its brokers stopped until the month is over, or the limit is above what it has cost
 * (completions, "Billing"); one of a suspended tenant until that is resumed. To be called after each change of these, in its transaction; the deployment is locked.
 */
export async function settleSpending(tx: Tx, id: DeploymentId, now: Date): Promise<void> {
  const deployment = await findLocked(tx.db, id);
  // after a restore nothing is counted until main-api has said what it knows
  if (!deployment || deployment.access_question !== null) return;
  const known = await findSpending(tx.db, id);
  const { price_changes, ...rate } = rateOf(deployment, now);
  if (!known && rate.monthlyCents === 0 && price_changes.length === 0) return;
  const counted = await countTo(tx, deployment, known, now, rate);
  const meter = meterOf(counted);
  const reported_month = known?.reported_month ?? null;
  const limit = limitOf(deployment);
  const until = stoppedUntil(deployment, meter, limit, now);
  if (until?.getTime() !== deployment.limited_until?.getTime()) {
    await changeDeployment(tx.db, id, { limited_until: until });
    await raiseRevision(tx.db, id);
    await scheduleNow(tx.db, id, now);
  }
  const isNews =
    until !== null &&
    until < suspension &&
    deployment.limited_until === null &&
    reported_month?.getTime() !== meter.month.getTime();
  if (isNews) emitLimitReached(tx, deployment, meter, until);
  const watched = until === null && mayBeStopped(deployment) ? limit : null;
  const warned_month = warnNearLimit(tx, deployment, meter, watched, known?.warned_month ?? null);
  const isWarned = warned_month?.getTime() === meter.month.getTime();
  await storeSpending(tx.db, {
    deployment_id: id,
    ...counted,
    due_at: earliest(
      until,
      watched === null ? null : reachesAt(meter, watched),
      watched === null || isWarned ? null : reachesAt(meter, nearLimit(watched)),
      price_changes[0] ? new Date(price_changes[0].from) : null,
    ),
    reported_month: isNews ? meter.month : reported_month,
    warned_month,
    billed: counted.billed && JSON.stringify(counted.billed),
    price_changes: JSON.stringify(price_changes),
  });
}

type Counted = Pick<
  Spending,
  'month' | 'cent_seconds' | 'metered_to' | 'monthly_cents' | 'billed' | 'usage_from' | 'usage_to'
>;

/** Counts and reports what it has cost until now, at the prices that were announced for that time; from now on it costs `rate`. */
async function countTo(
  tx: Tx,
  deployment: Deployment,
  known: Spending | undefined,
  now: Date,
  rate: Omit<Rate, 'price_changes'>,
): Promise<Counted> {
  const passed = (known?.price_changes ?? []).flatMap(({ from, billed }) => {
    const to = new Date(from);
    return known && to > known.metered_to && to <= now ? [{ to, rate: rateFor(billed) }] : [];
  });
  let counted: Counted | undefined = known;
  for (const step of [...passed, { to: now, rate }]) counted = await count(tx, deployment, counted, step);
  return counted as Counted;
}

async function count(
  tx: Tx,
  deployment: Deployment,
  known: Counted | undefined,
  { to, rate }: { to: Date; rate: Omit<Rate, 'price_changes'> },
): Promise<Counted> {
  const meter = { ...advanced(known ? meterOf(known) : newMeter(to), to), monthlyCents: rate.monthlyCents };
  return {
    month: meter.month,
    cent_seconds: meter.centSeconds,
    metered_to: meter.meteredTo,
    monthly_cents: meter.monthlyCents,
    ...(await settleUsage(tx, deployment, known, meter.meteredTo, rate.billed)),
  };
}

const earliest = (...times: (Date | null)[]) =>
  times.reduce((first, time) => (first === null || (time !== null && time < first) ? time : first), null);

/** In cents. */
function limitOf({ spec: { spend_limit } }: Deployment): number | null {
  return spend_limit === null ? null : Math.round(spend_limit * 100);
}

function meterOf({ month, cent_seconds, metered_to, monthly_cents }: Counted): Meter {
  return { month, centSeconds: cent_seconds, meteredTo: metered_to, monthlyCents: monthly_cents };
}

/** An upgrade is not left halfway: when it has ended, this is settled again. */
const mayBeStopped = ({ status, deleted_by }: Deployment) => status === 'initialized' && deleted_by === null;

/** Until when the brokers are to be stopped, by the tenant's suspension or the spend limit, or null. */
function stoppedUntil(deployment: Deployment, meter: Meter, limit: number | null, now: Date): Date | null {
  const { limited_until, status, deleted_by, spec } = deployment;
  const isSuspended = limited_until !== null && limited_until >= suspension;
  if (!spec.suspended) {
    const by = isSuspended ? null : limited_until;
    return limitedUntil({ ...deployment, limited_until: by }, meter, limit, now);
  }
  // an upgrade is not left halfway here either
  const mayRest = status === 'initialized' || status === 'stopped';
  if (deleted_by === null && (isSuspended || mayRest)) return suspension;
  return limitedUntil(deployment, meter, limit, now);
}

function limitedUntil(deployment: Deployment, meter: Meter, limit: number | null, now: Date): Date | null {
  const { limited_until } = deployment;
  const isReached = limit !== null && meter.centSeconds >= limit * secondsPerPrice;
  if (limited_until !== null) return isReached && now < limited_until ? limited_until : null;
  return isReached && meter.monthlyCents > 0 && mayBeStopped(deployment)
    ? firstOfMonth(meter.month, 1)
    : null;
}

const nearPercent = 80;
/** In cents. */
const nearLimit = (limit: number) => (limit * nearPercent) / 100;

/** Warns once a month that a limit is near. @returns the month in which that was done last */
function warnNearLimit(
  tx: Tx,
  deployment: Deployment,
  meter: Meter,
  limit: number | null,
  warned: Date | null,
): Date | null {
  const isNear = limit !== null && limit > 0 && meter.centSeconds >= nearLimit(limit) * secondsPerPrice;
  if (!isNear || warned?.getTime() === meter.month.getTime()) return warned;
  tx.emit('billing_limit_near', subjectsOf(deployment), {
    ...{ ...nameAndCode(deployment), spend_limit: deployment.spec.spend_limit ?? 0 },
    spent: Math.round(spentCents(meter)) / 100,
    percent: nearPercent,
  });
  return meter.month;
}

function emitLimitReached(tx: Tx, deployment: Deployment, meter: Meter, until: Date): void {
  tx.emit('billing_limit_reached', subjectsOf(deployment), {
    ...{ ...nameAndCode(deployment), spend_limit: deployment.spec.spend_limit ?? 0 },
    spent: Math.round(spentCents(meter)) / 100,
    until: until.toISOString(),
  });
}
