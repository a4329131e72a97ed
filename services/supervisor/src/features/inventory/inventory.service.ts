import {
  mostInventoried,
  type DeploymentId,
  type Inventory,
  type ReportData,
  firstOfMonth,
} from '@sluice/contracts';
import type { Schedule } from '@sluice/controller';
import { watchConnection, type UnitOfWork } from '@sluice/messaging';
import type { ServiceRuntime } from '@sluice/runtime';
import { system, figures } from '@sluice/service';
import { jittered } from '@sluice/system';
import type { Database, Transaction } from '@sluice/region-store/tables';
import { settledTo } from '../../spending/spending.store.ts';

import { beginInventory, countUnknown, highestIds, knownSince, listForInventory } from './inventory.store.ts';

export interface InventoryOptions extends Pick<ServiceRuntime, 'nats' | 'metrics'> {
  database: Database;
  work: UnitOfWork<Transaction>;
  /** the region, and where it is served */
  registration: Omit<ReportData<'region_registered'>, 'inventory' | 'usage_to'>;
  /** between two inventories; about, so that regions do not all come at once */
  seconds: number;
}

/** A connection that comes and goes is no reason for an inventory each time. */
const soonestSeconds = 5;

/**
 * Registers the region with main-api, and reports what it has: now, when the connection to NATS is back, and every so often. main-api
 * compares that with what it knows, and sends what the region lacks.
 */
export function keepInventory(schedule: Schedule, options: InventoryOptions): void {
  const { database, nats, metrics, seconds } = options;
  let isNew = true;
  let isBack = false;
  const unknown = { name: 'sluice_unknown_deployments', help: 'Deployments that main-api does not know' };
  figures(metrics, { unknown }, async () => ({ unknown: await countUnknown(database) }));
  const { wake } = schedule.add({
    name: 'inventory',
    every: () => jittered(Math.min(seconds / 4, 15)),
    // the first one counts: no region is offered before it
    retry: { first: 500, cap: 5_000 },
    async run() {
      const since = isNew ? 0 : isBack ? Math.min(soonestSeconds, seconds) : seconds;
      isBack = false;
      if (await beginInventory(database, since)) await report(options);
      isNew = false;
    },
  });
  watchConnection(nats, {
    back: () => {
      isBack = true;
      wake();
    },
  });
}

/** longer than any transaction takes that settles a deployment */
const marginMilliseconds = 5 * 60_000;

/** Until when all usage has been reported. A deployment that begins to run at this moment is not seen yet. */
async function usageTo(db: Database, now: Date): Promise<Date> {
  const [settled, sure] = [await settledTo(db), new Date(now.getTime() - marginMilliseconds)];
  return settled && settled < sure ? settled : sure;
}

/** One report for each part, each as of its own time: changes in between have reports of their own. */
async function report({ work, registration }: InventoryOptions): Promise<void> {
  let after: DeploymentId | null | 0 = 0;
  while (after !== null) {
    const from: number = after;
    after = await work(system, async (tx): Promise<DeploymentId | null> => {
      const now = new Date();
      const inventory = await inventoryPart(tx.db, from, now);
      const usage_to = (await usageTo(tx.db, now)).toISOString();
      tx.report('region_registered', { ...registration, usage_to, inventory });
      return inventory.upto;
    });
  }
}

/** What the region has, from the deployment after this one on. */
export async function inventoryPart(db: Database, after: number, now: Date): Promise<Inventory> {
  // as much as the region remembers for certain
  const usage_since = firstOfMonth(now, -1);
  const { deployments, upto } = await listForInventory(db, after, mostInventoried, usage_since);
  const [highest_ids, known_since] = [await highestIds(db), await knownSince(db)];
  return { after, upto, deployments, highest_ids, known_since, usage_since: usage_since.toISOString() };
}
