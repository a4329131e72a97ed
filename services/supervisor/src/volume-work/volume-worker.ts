import { setTimeout as pauseFor } from 'node:timers/promises';
import { LeaseLost, WorkQueue, type Lease } from '@sluice/controller';
import type { Log, Notifications, Signals } from '@sluice/service';
import type { Registry } from '@prometheus-io/client';
import { channels } from '@sluice/region-store/signals';
import type { Database } from '@sluice/region-store/tables';
import {
  leaseVolumeWork,
  readVolumeWork,
  releaseVolumeLease,
  renewVolumeLeases,
  pauseVolumeWork,
  type VolumeWork,
} from '@sluice/region-store/volume-work.store';
import type { TakeStep } from './steps.ts';

export interface VolumeWorkerOptions {
  database: Database;
  notifications: Notifications;
  /** sent when an agent has reported something new */
  applied: Signals;
  takeStep: TakeStep;
  /** for which a replica may be silent before another goes on */
  leaseSeconds: number;
  metrics: Registry;
  log: Log;
}

/** deployments whose volumes one replica works on at the same time; most of it is to wait for nodes, for minutes at most */
const atOnce = 16;
const lookMilliseconds = 1_000;

/** Carries out backups and restores, step by step, under leases: where a replica ends, another goes on with the same step. */
export function volumeQueue(options: VolumeWorkerOptions) {
  const { database, notifications, leaseSeconds, metrics, log } = options;
  return new WorkQueue<VolumeWork & { key: number }, VolumeWork>({
    name: 'volume_work',
    source: {
      leaseDue: async ({ all }) => {
        const leased = await leaseVolumeWork(database, leaseSeconds, all);
        return leased.map((work) => ({ ...work, key: work.deployment_id }));
      },
    },
    lanes: { size: atOnce, slow: atOnce },
    leaseSeconds,
    renewSeconds: leaseSeconds / 4,
    async renew(items) {
      const held = new Set(await renewVolumeLeases(database, items, leaseSeconds));
      return items.filter(({ run }) => held.has(run));
    },
    run: (work, lease) => carryOut(options, work, lease),
    pollSeconds: lookMilliseconds / 1_000,
    listen: (wake) => notifications.listen(channels.volumes, wake),
    metrics,
    log,
  });
}

/** Takes step after step until the work has ended, rests, or another replica has it. @returns the seconds of its rest */
async function carryOut(
  { database, applied, takeStep, log }: VolumeWorkerOptions,
  taken: VolumeWork,
  { signal }: Lease,
): Promise<number | void> {
  try {
    while (!signal.aborted) {
      const watch = applied.watch(taken.deployment_id);
      try {
        const work = await readVolumeWork(database, taken);
        if (!work) return;
        const outcome = await takeStep(work, signal);
        // it gives its place to others: a cloud can take hours
        if (typeof outcome === 'object') {
          await pauseVolumeWork(database, taken, outcome.pause);
          return outcome.pause;
        }
        if (outcome === 'wait') await watch.signalled(lookMilliseconds, signal);
      } catch (error) {
        if (error instanceof LeaseLost || signal.aborted) return;
        log.warn('a step of work on volumes failed; it will be tried again', {
          ...{ deployment: taken.deployment_id, error },
        });
        await pauseFor(lookMilliseconds, undefined, { signal }).catch(() => undefined);
      } finally {
        watch.end();
      }
    }
  } finally {
    await releaseVolumeLease(database, taken).catch(() => undefined);
  }
}
