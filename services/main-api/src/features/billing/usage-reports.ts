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
  type UsageIntervalRow,
} from './usage-intervals.store.ts';
import { openMonth } from './usage-months.store.ts';

/**
 * Takes in what a region says that a deployment has used. Reports come twice, late and in any order, and a region that was restored from
 * an older copy counts again what it has counted before: what is stored of a second stays, and only what is missing is added.
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
  const known = await listOverlapping(tx, billed.id, from, to);
  const parts = missing(known, from, to);
  if (parts.length === 0) return;
  const closing = await openMonth(tx, billed.id, firstOfMonth(from));
  const { tier, nodes, storage, price } = usage;
  const row = { billed_id: billed.id, tier, nodes, ...price, closing };
  for (const part of parts) {
    const before = known.find(({ ended_at }) => ended_at.getTime() === part.started_at.getTime());
    // what an invoice has been made of stays as it is
    if (before?.closing === closing && isPricedAlike(before, price))
      await extendUsage(tx, before, part.ended_at);
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
