import type { Heartbeat } from '@sluice/contracts';
import { channels, notifyAll } from '@sluice/region-store/signals';
import { scheduleAllNow } from '@sluice/region-store/reconciliations.store';
import { setEncrypted } from '../encryption/encryption-keys.store.ts';
import type { Shared } from '../shared.ts';
import { recordHeartbeats, type Beat } from './heartbeats.store.ts';
import { nodeBatches, type FromNode } from './node-batches.ts';

export interface HeartbeatOptions extends Pick<Shared, 'database' | 'now'> {
  /** a node's last heartbeat is known to within this time */
  resolutionSeconds: number;
}

/** Stores heartbeats in batches, and with them, by one more statement, what follows for the deployments in which something has changed. */
export function heartbeatBatches({ database, resolutionSeconds, now }: HeartbeatOptions) {
  const take = nodeBatches<Beat>({
    ...{ mostWaiting: 5_000, mostInStatement: 500, newestCounts: true },
    store: (beats) =>
      database.transaction().execute(async (tx) => {
        const taken = await recordHeartbeats(tx, beats, resolutionSeconds);
        const changed = taken.flatMap(({ changed: is, deployment_id }) => (is ? [deployment_id] : []));
        if (changed.length > 0) {
          await setEncrypted(tx, changed);
          await notifyAll(tx, channels.applied, changed);
          await scheduleAllNow(tx, changed, now());
        }
        return taken.map(({ outcome }) => outcome);
      }),
  });
  return ({ nodeId, key }: FromNode, heartbeat: Heartbeat) =>
    take({ nodeId, key }, () => ({ nodeId, key, heartbeat }));
}
