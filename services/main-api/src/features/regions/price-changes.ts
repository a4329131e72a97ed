import type { Job } from '@sluice/controller';
import { system, type Log } from '@sluice/service';
import type { Core } from '../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import { lockOutdatedPrices } from '@sluice/main-store/deployments.store';
import { lockUnrecordedAssignments, markAssignmentRecorded } from '@sluice/main-store/price-lists.store';
import { listTenantIds } from '@sluice/main-store/tenants.store';
import { sendPrices } from './shapes.ts';

type Needs = Pick<Core, 'work' | 'catalogue' | 'prices'> & { log: Log };

/** deployments that one transaction sends */
const batch = 100;

/**
 * Sends each deployment the price of a list that was assigned, before that is valid, and tells the tenants. It also finds deployments
 * that were created or changed by a replica that had not read the list yet. `sluice-admin billing prices` wakes it.
 */
export function priceChangesJob({ work, catalogue, prices, log }: Needs): Job {
  return {
    name: 'price_changes',
    every: 30,
    async run(signal) {
      await prices.refresh();
      await work(system, (tx) => recordAssignments(tx, log));
      for (let sent = batch; sent === batch && !signal.aborted;)
        sent = await work(system, async (tx) => {
          const ids = await lockOutdatedPrices(tx, batch);
          if (ids.length > 0) await sendPrices(tx, { catalogue, prices }, ids);
          return ids.length;
        });
    },
  };
}

/** In the log of its tenant, or of all without a list of their own. */
async function recordAssignments(tx: Transaction, log: Log): Promise<void> {
  for (const { id, tenant_id, list, valid_from } of await lockUnrecordedAssignments(tx)) {
    for (const tenant of await listTenantIds(tx, tenant_id))
      tx.emit('prices_announced', { tenant_id: tenant }, { list, valid_from: valid_from.toISOString() });
    await markAssignmentRecorded(tx, id);
    log.warn('a price list is announced', { list, tenant: tenant_id, valid_from });
  }
}
