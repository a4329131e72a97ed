import { supervisorOf, type ReportData, type Sender } from '@sluice/contracts';
import { PermanentError } from '@sluice/messaging';
import type { Transaction } from '../../database.ts';
import { firstOfMonth, monthsAfter } from './months.ts';
import {
  extendUsage,
  insertUsage,
  isPricedAlike,
  listOverlapping,
  lockBilled,
  raiseKnownSince,
  type UsageIntervalRow,
} from './usage-intervals.store.ts';

/**
 * Takes in what a region says that a deployment has used. Reports come twice, late and in any order, and a region that was restored from
 * an older copy counts again what it has counted before: what is stored of a second stays, and only what is missing is added. What a
 * region has reported before it was restored does not count once it has been told what is known here (decision 188).
 * @throws PermanentError when the deployment was never there, or is another region's
 */
export async function takeUsage(tx: Transaction, sender: Sender, usage: ReportData<'usage'>): Promise<void> {
  const billed = await lockBilled(tx, usage);
  if (!billed)
    throw new PermanentError(`${sender} reports usage of a deployment that was never there: ${usage.uid}`);
  if (supervisorOf(billed) !== sender)
    throw new PermanentError(`${sender} reports usage of a deployment in ${billed.cloud} ${billed.region}`);
  const [from, to] = [new Date(usage.from), new Date(usage.to)];
  if (to <= from || to > monthsAfter(firstOfMonth(from), 1))
    throw new PermanentError(
      `${sender} reports usage that is not within a month: ${usage.from} to ${usage.to}`,
    );
  const since = usage.known_since ? new Date(usage.known_since) : null;
  if (billed.known_since && (!since || since < billed.known_since)) return;
  if (since && (!billed.known_since || since > billed.known_since))
    await raiseKnownSince(tx, [billed.uid], since);
  const known = await listOverlapping(tx, billed.id, from, to);
  const { tier, nodes, storage, price } = usage;
  const row = { billed_id: billed.id, tier, nodes, ...price };
  for (const part of missing(known, from, to)) {
    const before = known.find(({ ended_at }) => ended_at.getTime() === part.started_at.getTime());
    if (before && isPricedAlike(before, price)) await extendUsage(tx, before, part.ended_at);
    else await insertUsage(tx, { ...row, ...part, storage_type: storage.type, storage_size: storage.size });
  }
}

type Interval = Pick<UsageIntervalRow, 'started_at' | 'ended_at'>;

/** The parts of a time that no interval has, in their order. @param known in their order, none overlaps another */
function missing(known: readonly Interval[], from: Date, to: Date): Interval[] {
  const parts: Interval[] = [];
  let start = from;
  for (const { started_at, ended_at } of known) {
    if (started_at > start) parts.push({ started_at: start, ended_at: started_at });
    if (ended_at > start) start = ended_at;
  }
  if (start < to) parts.push({ started_at: start, ended_at: to });
  return parts;
}
