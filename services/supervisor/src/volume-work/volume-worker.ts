import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Log, Notifications } from '@sluice/service-kit';
import { channels, type DeploymentSignals } from '../database/signals.ts';
import type { Database } from '../database/tables.ts';
import {
  readVolumeWork,
  releaseVolumeLease,
  renewVolumeLease,
  restVolumeWork,
  takeVolumeWork,
  type VolumeWork,
} from '../stores/volume-work.store.ts';
import type { TakeStep } from './steps.ts';
import { WorkLost } from './work-lost.ts';

export interface VolumeWorkerOptions {
  database: Database;
  notifications: Notifications;
  /** sent when an agent has told something new */
  applied: DeploymentSignals;
  takeStep: TakeStep;
  /** for which a replica may be silent before another goes on */
  leaseSeconds: number;
  log: Log;
}

/** deployments whose volumes one replica works on at the same time; most of it is to wait for nodes, for minutes at most */
const atOnce = 16;
const lookMilliseconds = 1_000;

/**
 * Carries out what is to be done with volumes, step by step, under leases: where a replica ends, another goes on with the same step.
 * @returns ends it, and lets others go on
 */
export async function workOnVolumes(options: VolumeWorkerOptions): Promise<() => Promise<void>> {
  const { database, notifications, leaseSeconds, log } = options;
  const stopped = new AbortController();
  const running = new Set<Promise<void>>();
  let looking = false;

  async function look(): Promise<void> {
    if (looking || stopped.signal.aborted) return;
    looking = true;
    try {
      while (running.size < atOnce && !stopped.signal.aborted) {
        const work = await takeVolumeWork(database, leaseSeconds);
        if (!work) break;
        const ended: Promise<void> = carryOut(options, work, stopped.signal)
          .catch((error: unknown) => {
            log.warn('work on volumes was given up', { deployment: work.deployment_id, error });
          })
          .finally(() => {
            running.delete(ended);
            void look();
          });
        running.add(ended);
      }
    } catch (error) {
      log.warn('work on volumes could not be looked for', { error });
    } finally {
      looking = false;
    }
  }

  await notifications.listen(channels.volumes, () => void look());
  const timer = setInterval(() => void look(), lookMilliseconds);
  void look();
  return async () => {
    clearInterval(timer);
    stopped.abort(new Error('the supervisor stops'));
    await Promise.all(running);
  };
}

/** Takes step after step until the work has ended, or is in other hands. */
async function carryOut(
  { database, applied, takeStep, leaseSeconds, log }: VolumeWorkerOptions,
  taken: VolumeWork,
  stopping: AbortSignal,
): Promise<void> {
  const lease = keepLease({ database, leaseSeconds, log }, taken, stopping);
  const { signal } = lease;
  try {
    while (!signal.aborted) {
      const watch = applied.watch(taken.deployment_id);
      try {
        const work = await readVolumeWork(database, taken);
        if (!work) return;
        const outcome = await takeStep(work, signal);
        // it keeps no place from others: a cloud can take hours
        if (typeof outcome === 'object') return await restVolumeWork(database, taken, outcome.rest);
        if (outcome === 'wait') await watch.signalled(lookMilliseconds, signal);
      } catch (error) {
        if (error instanceof WorkLost || signal.aborted) return;
        log.warn('a step of work on volumes failed; it will be tried again', {
          ...{ deployment: taken.deployment_id, error },
        });
        await pauseFor(lookMilliseconds, undefined, { signal }).catch(() => undefined);
      } finally {
        watch.end();
      }
    }
  } finally {
    lease.end();
    await releaseVolumeLease(database, taken).catch(() => undefined);
  }
}

/** Renews the lease until it is ended; its signal is aborted when it is lost, or cannot be renewed in time. */
function keepLease(
  { database, leaseSeconds, log }: Pick<VolumeWorkerOptions, 'database' | 'leaseSeconds' | 'log'>,
  taken: VolumeWork,
  stopping: AbortSignal,
) {
  const lost = new AbortController();
  let heldUntil = performance.now() + leaseSeconds * 1_000;
  const timer = setInterval(
    () => {
      if (performance.now() >= heldUntil) lost.abort(new WorkLost());
      const askedAt = performance.now();
      renewVolumeLease(database, taken, leaseSeconds).then(
        (held) => {
          if (held) heldUntil = askedAt + leaseSeconds * 1_000;
          else lost.abort(new WorkLost());
        },
        (error: unknown) => log.warn('the lease of work on volumes could not be renewed', { error }),
      );
    },
    (leaseSeconds * 1_000) / 4,
  );
  return { signal: AbortSignal.any([lost.signal, stopping]), end: () => clearInterval(timer) };
}
