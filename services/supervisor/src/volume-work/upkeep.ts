import { abortable, type Job } from '@sluice/controller';
import type { UnitOfWork } from '@sluice/messaging';
import { system, type Log } from '@sluice/service';
import type { Database, Transaction } from '../database/tables.ts';
import { eventOf, getBackup, listExpired, markUnwanted, unknownCopies } from '../stores/backups.store.ts';
import { listDueSchedules } from '../stores/backup-schedules.store.ts';
import { findLocked, subjectsOf } from '../stores/deployments.store.ts';
import { findVolumeWork, unknownRuns } from '../stores/volume-work.store.ts';
import type { VolumeDriver } from '../volumes/volume-driver.ts';
import { beginScheduled } from './own-backups.ts';
import { removalsJob } from './removals.ts';

export interface VolumeUpkeepOptions {
  database: Database;
  work: UnitOfWork<Transaction>;
  volumes: VolumeDriver;
  now: () => Date;
  log: Log;
}

const lookSeconds = 1;
/** between two looks for what nobody knows: what a replica has left that came to its end late */
const sweepSeconds = 60;
const mostAtOnce = 20;

/**
 * Begins backups by their schedules, ends those whose time is over, and removes the files of those that are to go, or have failed, or whose
 * deployments are gone. Each step may be repeated, also by several replicas at once. What a cloud takes long for, or cannot do, is a job of
 * its own, so that no schedule waits for it.
 */
export function volumeJobs(options: VolumeUpkeepOptions): Job[] {
  const { database, work, volumes, now, log } = options;

  /** One that cannot be seen to keeps nobody else waiting. */
  async function each<Item>(items: readonly Item[], see: (item: Item) => Promise<void>): Promise<void> {
    for (const item of items)
      await see(item).catch((error: unknown) => log.warn('a backup could not be seen to', { error }));
  }

  const begin = async () =>
    await each(await listDueSchedules(database, now(), mostAtOnce), (id) =>
      work(system, (tx) => beginScheduled(tx, id, now())),
    );

  const expire = async () =>
    await each(await listExpired(database, mostAtOnce), ({ id, deployment_id }) =>
      work(system, async (tx) => {
        const deployment = await findLocked(tx.db, deployment_id);
        if (!deployment || (await findVolumeWork(tx.db, deployment_id))?.backup_id === id) return;
        const backup = await getBackup(tx.db, deployment_id, id);
        if (await markUnwanted(tx.db, id)) tx.emit('backup_expired', subjectsOf(deployment), eventOf(backup));
      }),
    );

  /** What is found is looked up only afterwards: whoever begins something has stored before what it will be called. */
  async function sweep(): Promise<void> {
    const found = await volumes.list();
    for (const copy of await unknownCopies(database, found.unfinished)) await volumes.remove(copy);
    for (const run of await unknownRuns(database, found.runs)) await volumes.clear(run);
  }

  return [
    { name: 'scheduled_backups', every: lookSeconds, run: begin },
    { name: 'expired_backups', every: lookSeconds, run: expire },
    removalsJob(options),
    { name: 'unknown_copies', every: sweepSeconds, run: (signal) => abortable(sweep(), signal) },
  ];
}
