import { supervisorOf, type Price, type ReportData, type Sender, firstOfMonth } from '@sluice/contracts';
import { PermanentError } from '@sluice/messaging';
import type { PriceBook } from '@sluice/catalogue/price-book';
import type { PriceList } from '@sluice/catalogue/price-list';
import { monthlyPrice } from '@sluice/catalogue/prices';
import type { Transaction } from '@sluice/main-store/database';

import {
  extendUsage,
  insertUsage,
  isAlike,
  listOverlapping,
  lockBilled,
  raiseKnownSince,
  type BilledDeploymentRow,
  type UsageIntervalRow,
} from './usage-intervals.store.ts';
import { openMonth } from './usage-months.store.ts';

/**
 * Takes in what a region says that a deployment has used. Reports come twice, late and in any order, and a region that was restored from
 * an older copy counts again what it has counted before: what is stored of a second stays, and only what is missing is added. What a
 * region that was away has counted by a former price list has the price of the list that was valid. What it has reported before it was
 * restored does not count once it has been sent what is known here (decision 188).
 * @throws PermanentError when the deployment was never there, or is another region's
 */
export async function takeUsage(
  tx: Transaction,
  prices: PriceBook,
  sender: Sender,
  usage: ReportData<'usage'>,
): Promise<void> {
  const billed = await lockBilled(tx, usage);
  if (!billed)
    throw new PermanentError(`${sender} reports usage of a deployment that was never there: ${usage.uid}`);
  if (supervisorOf(billed) !== sender)
    throw new PermanentError(`${sender} reports usage of a deployment in ${billed.cloud} ${billed.region}`);
  const [from, to] = [new Date(usage.from), new Date(usage.to)];
  if (to <= from || to > firstOfMonth(from, 1))
    throw new PermanentError(
      `${sender} reports usage that is not within a month: ${usage.from} to ${usage.to}`,
    );
  const since = usage.known_since ? new Date(usage.known_since) : null;
  if (billed.known_since && (!since || since < billed.known_since)) return;
  if (since && (!billed.known_since || since > billed.known_since))
    await raiseKnownSince(tx, [billed.uid], since);
  const known = await listOverlapping(tx, billed.id, from, to);
  const parts = missing(known, from, to);
  if (parts.length === 0) return;
  const closing = await openMonth(tx, billed.id, firstOfMonth(from));
  const shape = shapeColumns(usage);
  const stored = [...known];
  for (const part of parts)
    for (const { list, ...priced } of priceParts(
      prices,
      { ...usage, tenant_id: billed.tenant_id, cloud: billed.cloud },
      part,
    )) {
      const row = { billed_id: billed.id, ...shape, ...priced, price_list: list ?? null, closing };
      const { started_at, ended_at } = row;
      const before = stored.find((one) => one.ended_at.getTime() === started_at.getTime());
      // what an invoice has been made of stays as it is
      if (before?.closing === closing && isAlike(before, row)) {
        await extendUsage(tx, before, ended_at);
        before.ended_at = ended_at;
      } else {
        await insertUsage(tx, row);
        stored.push(row);
      }
    }
}

const shapeColumns = ({ tier, nodes, storage, ...usage }: ReportData<'usage'>) => ({
  ...{ tier, nodes, storage_type: storage.type, storage_size: storage.size },
  target_network_tput: usage.target_network_tput ?? null,
  availability_mode: usage.availability_mode ?? null,
  telemetry_days: usage.telemetry_days ?? null,
});

/**
 * A time in parts of which each has the price of the list that was valid. A list that is not known was published after the copy from
 * which this database was restored: its price is the region's.
 */
function priceParts(
  prices: PriceBook,
  usage: ReportData<'usage'> & Pick<BilledDeploymentRow, 'tenant_id' | 'cloud'>,
  { started_at, ended_at }: Interval,
): (Interval & Price)[] {
  const { list: reported } = usage.price;
  if (reported === undefined || !prices.find(reported)) return [{ started_at, ended_at, ...usage.price }];
  const valid = prices.since(usage.tenant_id, started_at).filter(({ from }) => from < ended_at);
  return valid.map(({ from, list }, position) => ({
    ...(list.number === reported ? usage.price : (priceBy(list, usage) ?? usage.price)),
    started_at: from,
    ended_at: valid[position + 1]?.from ?? ended_at,
  }));
}

/** What the shape of a report costs by a list. */
function priceBy(list: PriceList, usage: Parameters<typeof priceParts>[1]): Price | undefined {
  const { cloud, tier, nodes, storage, target_network_tput = null, telemetry_days } = usage;
  return monthlyPrice(list, {
    ...{ cloud, tier, nodes, storage, target_network_tput },
    availability_mode: usage.availability_mode ?? 'single_az',
    telemetry_days: telemetry_days ?? list.terms.telemetry_days,
  });
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
