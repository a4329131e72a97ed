import type { Job } from '@sluice/controller';
import type { Log } from '@sluice/service';
import type { Database } from '../../database/tables.ts';
import type { Listening } from '../../stores/silence.store.ts';
import { listUnsettledSnapshots } from '../../stores/snapshots.store.ts';
import type { SettleSnapshots } from './settle.ts';

export interface SnapshotWatchOptions {
  database: Database;
  settle: SettleSnapshots;
  listening: Listening;
  log: Log;
}

/** deployments that one look sees to */
const mostAtOnce = 50;

/**
 * Sees to snapshots of which nobody says anything any more: those past their deadline, and those whose supervisor ended in between.
 */
export function snapshotsJob({ database, settle, listening, log }: SnapshotWatchOptions): Job {
  async function look(signal: AbortSignal): Promise<void> {
    for (const id of await listUnsettledSnapshots(database, listening, mostAtOnce)) {
      if (signal.aborted) return;
      await settle(id).catch((error: unknown) =>
        log.warn('snapshots of a deployment could not be seen to', { deployment: id, error }),
      );
    }
  }

  return { name: 'unsettled_snapshots', every: 1, run: look };
}
