import type { Job } from '@sluice/controller';
import type { Log } from '@sluice/service';
import type { Database } from '../../database/tables.ts';
import type { HeartbeatGrace } from '../../stores/silence.store.ts';
import { listUnsettledSnapshots } from '../../stores/snapshots.store.ts';
import type { SettleSnapshots } from './settle.ts';
import { each } from '../../each.ts';

export interface SnapshotWatchOptions {
  database: Database;
  settle: SettleSnapshots;
  heartbeatGrace: HeartbeatGrace;
  log: Log;
}

/** deployments that one look sees to */
const mostAtOnce = 50;

/**
 * Completes snapshots that no report completes any more: those past their deadline, and those whose supervisor ended in between.
 */
export const snapshotsJob = ({ database, settle, heartbeatGrace, log }: SnapshotWatchOptions): Job => ({
  name: 'unsettled_snapshots',
  every: 1,
  run: async (signal) =>
    await each(
      await listUnsettledSnapshots(database, heartbeatGrace, mostAtOnce),
      settle,
      (deployment, error) =>
        log.warn('snapshots of a deployment could not be settled', { deployment, error }),
      signal,
    ),
});
