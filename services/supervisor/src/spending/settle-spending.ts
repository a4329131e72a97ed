import { statusIs, type DeploymentId } from '@sluice/contracts';
import type { Tx } from '../database/tables.ts';
import {
  findLocked,
  raiseRevision,
  changeDeployment,
  nameAndCode,
  subjectsOf,
  type Deployment,
} from '../stores/deployments.store.ts';
import { suspension } from './suspension.ts';
import { scheduleNow } from '../stores/reconciliations.store.ts';
import { settleUsage } from './usage.ts';
import { findSpending, storeSpending, type Spending } from './spending.store.ts';
import {
  advanced,
  monthAfter,
  newMeter,
  reachesAt,
  secondsPerPrice,
  spentCents,
  type Meter,
} from './meter.ts';

/**
 * Counts and reports what a deployment has cost until now, by the price that it had, and goes by what it is from now on: its status, price and spend
 * limit. One that has reached its limit has its brokers stopped until the month is over, or the limit is above what it has cost
 * (completions, "Billing"); one of a suspended tenant until that is resumed. To be called after each change of these, in its transaction; the deployment is locked.
 */
export async function settleSpending(tx: Tx, id: DeploymentId, now: Date): Promise<void> {
  const deployment = await findLocked(tx.db, id);
  if (!deployment) return;
  const known = await findSpending(tx.db, id);
  const monthlyCents = priceOf(deployment);
  if (!known && monthlyCents === 0) return;
  const meter = { ...advanced(known ? meterOf(known) : newMeter(now), now), monthlyCents };
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
  const usage = await settleUsage(tx, deployment, known, meter);
  await storeSpending(tx.db, {
    deployment_id: id,
    month: meter.month,
    cent_seconds: meter.centSeconds,
    metered_to: meter.meteredTo,
    monthly_cents: meter.monthlyCents,
    due_at: until ?? (limit === null || !mayBeStopped(deployment) ? null : reachesAt(meter, limit)),
    reported_month: isNews ? meter.month : reported_month,
    ...usage,
    billed: usage.billed && JSON.stringify(usage.billed),
  });
}

function priceOf({ status, deleted_by, spec }: Deployment): number {
  return statusIs('billable', status) && deleted_by === null ? (spec.limits.monthly_cents ?? 0) : 0;
}

/** In cents. */
function limitOf({ spec: { spend_limit } }: Deployment): number | null {
  return spend_limit === null ? null : Math.round(spend_limit * 100);
}

function meterOf({ month, cent_seconds, metered_to, monthly_cents }: Spending): Meter {
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
  return isReached && meter.monthlyCents > 0 && mayBeStopped(deployment) ? monthAfter(meter.month) : null;
}

function emitLimitReached(tx: Tx, deployment: Deployment, meter: Meter, until: Date): void {
  tx.emit('billing_limit_reached', subjectsOf(deployment), {
    ...{ ...nameAndCode(deployment), spend_limit: deployment.spec.spend_limit ?? 0 },
    spent: Math.round(spentCents(meter)) / 100,
    until: until.toISOString(),
  });
}
