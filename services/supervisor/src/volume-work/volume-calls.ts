import { LeaseLost } from '@sluice/controller';
import { reasonOf } from '@sluice/system';
import type { Database, VolumeCopy } from '@sluice/region-store/tables';
import type { Backup } from '@sluice/region-store/backups.store';
import { readVolumeWork, type PresentWork } from '@sluice/region-store/volume-work.store';
import { underWay, type RestoredVolume, type UnderWay, type VolumeCall } from '@sluice/drivers';

/** What the driver could not do, as people read it. */
export class VolumeFailure extends Error {}

export interface VolumeCalls {
  work: PresentWork;
  backup: Backup;
  signal: AbortSignal;
  /** seconds for which brokers are stopped at most, where they are stopped for it */
  limit?: number;
}

export type Ask<Answer> = (volume: RestoredVolume, copy: VolumeCopy, call: VolumeCall) => Promise<Answer>;

/**
 * Calls the driver for the volume of each node in turn, so that what takes longer is begun for all of them.
 * @returns all answers, or that some of it is under way
 * @throws VolumeFailure
 */
export async function forEachVolume<Answer>(
  database: Database,
  { work, backup, signal, limit }: VolumeCalls,
  ask: Ask<Answer>,
): Promise<Exclude<Answer, UnderWay>[] | UnderWay> {
  const within =
    limit === undefined
      ? undefined
      : AbortSignal.timeout(Math.ceil(Math.min(work.secondsLeft, limit) * 1_000));
  const until = within ? AbortSignal.any([signal, within]) : signal;
  const confirm = async () => {
    until.throwIfAborted();
    if (!(await readVolumeWork(database, work))) throw new LeaseLost();
    until.throwIfAborted();
  };
  const answers: Exclude<Answer, UnderWay>[] = [];
  for (const copy of backup.copies) {
    const volume = { node: copy.node_id, copy: copy.snapshot_id, run: work.run };
    try {
      const answer = await ask(volume, copy, { signal: until, confirm });
      if (answer !== underWay) answers.push(answer as Exclude<Answer, UnderWay>);
    } catch (error) {
      if (signal.aborted || error instanceof LeaseLost) throw error;
      if (within?.aborted === true)
        throw new VolumeFailure(`copying took more than ${limit} s`, { cause: error });
      throw new VolumeFailure(reasonOf(error), { cause: error });
    }
  }
  return answers.length === backup.copies.length ? answers : underWay;
}
