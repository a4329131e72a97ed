import { mostInventoriedChannels } from '@sluice/contracts';
import type { Job } from '@sluice/controller';
import { system } from '@sluice/service';
import type { Database, Work } from '../../database/tables.ts';
import { inventoriedAfter } from './channels.store.ts';

/**
 * Reports the channels that there are: main-api sends what differs. It finds what a restore of either database, or messages that NATS has
 * lost, have left.
 */
export function channelInventoryJob(database: Database, work: Work): Job {
  return {
    name: 'channel_inventory',
    every: 120,
    async run(signal) {
      for (let after = 0; !signal.aborted;) {
        const rows = await inventoriedAfter(database, after, mostInventoriedChannels);
        const upto = rows.length < mostInventoriedChannels ? null : (rows.at(-1)?.id ?? null);
        const channels = rows.map(({ unsubscribed_at, ...channel }) => ({
          ...channel,
          unsubscribed_at: unsubscribed_at?.toISOString() ?? null,
        }));
        await work(system, async (tx) => tx.report('channel_inventory', { after, upto, channels }));
        if (upto === null) return;
        after = upto;
      }
    },
  };
}
