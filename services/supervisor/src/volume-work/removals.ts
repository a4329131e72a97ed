import type { BackupId } from '@sluice/contracts';
import { abortable, type Job } from '@sluice/controller';
import type { Log } from '@sluice/service';
import { leastRecentlyUsed } from '@sluice/system/least-recently-used';
import { pauseAfter, type BackoffOptions } from '@sluice/system';
import type { Database } from '@sluice/region-store/tables';
import { forgetCopies, listUnwanted, type Backup } from '@sluice/region-store/backups.store';
import type { VolumeDriver } from '@sluice/drivers';

export interface RemovalOptions {
  database: Database;
  volumes: Pick<VolumeDriver, 'remove'>;
  log: Log;
  lookSeconds?: number;
  /** milliseconds until one that has failed is tried again */
  pauses?: BackoffOptions;
}

/** at the same time, by a replica */
const mostRemovals = 4;
const defaultPauses = { first: 15_000, cap: 3_600_000 };
const mostKnown = 1_000;

/**
 * Removes the copies of backups that are to go, or have failed, or whose deployments are gone: a few at the same time. One that fails waits
 * longer each time, and leaves its place to others: an account that cannot be reached any more does not hold up other copies. A stop does not
 * wait for a driver.
 */
export function removalsJob({
  database,
  volumes,
  log,
  lookSeconds = 1,
  pauses = defaultPauses,
}: RemovalOptions): Job {
  const underWay = new Map<BackupId, Promise<void>>();
  const failed = leastRecentlyUsed<BackupId, { failures: number; until: number }>(mostKnown);
  const resting = () =>
    [...failed.entries()].flatMap(([id, { until }]) => (until > performance.now() ? [id] : []));

  async function remove(backup: Backup): Promise<void> {
    for (const { snapshot_id } of backup.copies) await volumes.remove(snapshot_id);
    await forgetCopies(database, backup);
    failed.delete(backup.id);
  }

  function rest({ id }: Backup, error: unknown): void {
    const failures = failed.get(id)?.failures ?? 0;
    const until = performance.now() + pauseAfter(Math.min(failures, 30), pauses);
    failed.set(id, { failures: failures + 1, until });
    log.warn('the copies of a backup could not be removed; it will be tried again', { backup: id, error });
  }

  return {
    name: 'backup_removals',
    every: lookSeconds,
    async run(signal) {
      const free = mostRemovals - underWay.size;
      if (free === 0) return;
      for (const backup of await listUnwanted(database, free, [...underWay.keys(), ...resting()])) {
        const work = abortable(remove(backup), signal)
          .catch((error: unknown) => {
            if (!signal.aborted) rest(backup, error);
          })
          .finally(() => underWay.delete(backup.id));
        underWay.set(backup.id, work);
      }
    },
  };
}
