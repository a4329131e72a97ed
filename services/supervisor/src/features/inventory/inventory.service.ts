import { setTimeout as pauseFor } from 'node:timers/promises';
import { mostInventoried, type DeploymentId, type ReportData } from '@sluice/contracts';
import { system, watchConnection, type Log, type ServiceRuntime, type UnitOfWork } from '@sluice/service-kit';
import { Gauge } from 'prom-client';
import type { Database, Transaction } from '../../database/tables.ts';
import { beginInventory, countUnknown, highestIds, listForInventory } from '../../stores/inventory.store.ts';

export interface InventoryOptions extends Pick<ServiceRuntime, 'nats' | 'metrics'> {
  database: Database;
  work: UnitOfWork<Transaction>;
  /** the region, and where it is served */
  registration: Omit<ReportData<'region_registered'>, 'inventory'>;
  /** between two inventories; about, so that regions do not all come at once */
  seconds: number;
  log: Log;
}

/** A connection that comes and goes is no reason for an inventory each time. */
const soonestSeconds = 5;

/**
 * Registers the region with main-api, and tells what it has: now, when the connection to NATS is back, and every so often. main-api
 * compares that with what it knows, and sends what the region lacks.
 * @returns ends it
 */
export async function keepInventory(options: InventoryOptions): Promise<() => Promise<void>> {
  const { database, nats, metrics, seconds } = options;
  const ended = new AbortController();
  let woken = new AbortController();
  measureUnknown(metrics, database);
  watchConnection(nats, { back: () => woken.abort() });
  ended.signal.addEventListener('abort', () => woken.abort());
  await beginInventory(database, 0);
  await tell(options);

  async function keepTelling(): Promise<void> {
    while (!ended.signal.aborted) {
      const tick = Math.min(seconds / 4, 15) * (0.8 + Math.random() * 0.4);
      await pauseFor(tick * 1000, undefined, { signal: woken.signal }).catch(() => undefined);
      const isBack = woken.signal.aborted;
      if (ended.signal.aborted) return;
      if (isBack) woken = new AbortController();
      await tellInTurn(options, isBack ? Math.min(soonestSeconds, seconds) : seconds);
    }
  }

  const telling = keepTelling();
  return async () => {
    ended.abort();
    await telling;
  };
}

async function tellInTurn(options: InventoryOptions, seconds: number): Promise<void> {
  try {
    if (await beginInventory(options.database, seconds)) await tell(options);
  } catch (error) {
    options.log.warn('the region could not tell what it has; it will be tried again', { error });
  }
}

/** One report for each part, each as of its own time: what changes in between is told by reports of its own. */
async function tell({ work, registration }: InventoryOptions): Promise<void> {
  let after: DeploymentId | null | 0 = 0;
  while (after !== null) {
    const from: number = after;
    after = await work(system, async (tx): Promise<DeploymentId | null> => {
      const { deployments, upto } = await listForInventory(tx.db, from, mostInventoried);
      const highest_ids = await highestIds(tx.db);
      tx.report('region_registered', {
        ...registration,
        inventory: { after: from, upto, deployments, highest_ids },
      });
      return upto;
    });
  }
}

function measureUnknown(metrics: ServiceRuntime['metrics'], database: Database): void {
  new Gauge({
    name: 'sluice_unknown_deployments',
    help: 'Deployments that main-api does not know',
    registers: [metrics],
    async collect() {
      const count = await countUnknown(database).catch(() => undefined);
      if (count !== undefined) this.set(count);
    },
  });
}
