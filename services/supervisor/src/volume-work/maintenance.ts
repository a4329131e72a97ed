import { abortable, type Job } from '@sluice/controller';
import { system, type Log } from '@sluice/service';
import type { Base } from '@sluice/region-store/tables';
import {
  eventOf,
  getBackup,
  listExpired,
  markUnwanted,
  unknownCopies,
} from '@sluice/region-store/backups.store';
import { listDueSchedules } from '@sluice/region-store/backup-schedules.store';
import { findLocked, subjectsOf } from '@sluice/region-store/deployments.store';
import { findVolumeWork, unknownRuns } from '@sluice/region-store/volume-work.store';
import type { VolumeDriver } from '@sluice/drivers';
import { beginScheduled } from './own-backups.ts';
import { removalsJob } from './removals.ts';
import { each } from '../each.ts';

export type MaintenanceOptions = Base & { volumes: VolumeDriver; log: Log };

const lookSeconds = 1;
/** between two looks for unknown copies, which a replica leaves behind that ended late */
const sweepSeconds = 60;
const mostAtOnce = 20;

/**
 * Begins backups by their schedules, ends those whose time is over, and removes the files of those that are to go, or have failed, or whose
 * deployments are gone. Each step may be repeated, also by several replicas at once. What a cloud takes long for, or cannot do, is a job of
 * its own, so that no schedule waits for it.
 */
export function volumeJobs(options: MaintenanceOptions): Job[] {
  const { database, work, volumes, now, log } = options;

  const failing = { log, failed: 'a backup could not be begun or ended' };

  const begin = async () =>
    await each(
      await listDueSchedules(database, now(), mostAtOnce),
      (id) => work(system, (tx) => beginScheduled(tx, id, now())),
      failing,
    );

  const expire = async () =>
    await each(
      await listExpired(database, mostAtOnce),
      ({ id, deployment_id }) =>
        work(system, async (tx) => {
          const deployment = await findLocked(tx.db, deployment_id);
          if (!deployment || (await findVolumeWork(tx.db, deployment_id))?.backup_id === id) return;
          const backup = await getBackup(tx.db, deployment_id, id);
          if (await markUnwanted(tx.db, id))
            tx.emit('backup_expired', subjectsOf(deployment), eventOf(backup));
        }),
      failing,
    );

  /** What is found is looked up only afterwards: the name of a copy is stored before it is begun. */
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
