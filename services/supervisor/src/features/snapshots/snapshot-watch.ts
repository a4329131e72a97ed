import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Log } from '@sluice/service-kit';
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

const pauseMilliseconds = 1_000;
/** deployments that one look sees to */
const mostAtOnce = 50;

/**
 * Sees to snapshots of which nobody says anything any more: those past their deadline, and those whose supervisor ended in between.
 * @returns ends it
 */
export function watchSnapshots({
  database,
  settle,
  listening,
  log,
}: SnapshotWatchOptions): () => Promise<void> {
  const ended = new AbortController();

  async function look(): Promise<void> {
    for (const id of await listUnsettledSnapshots(database, listening, mostAtOnce)) {
      if (ended.signal.aborted) return;
      await settle(id).catch((error: unknown) =>
        log.warn('snapshots of a deployment could not be seen to', { deployment: id, error }),
      );
    }
  }

  async function lookAgainAndAgain(): Promise<void> {
    while (!ended.signal.aborted) {
      await look().catch((error: unknown) => log.warn('snapshots could not be looked for', { error }));
      await pauseFor(pauseMilliseconds, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  }

  const looking = lookAgainAndAgain();
  return async () => {
    ended.abort();
    await looking;
  };
}
