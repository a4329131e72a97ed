import { retry, type Job } from '@sluice/controller';
import type { Shared } from '../shared.ts';
import {
  deleteExpired,
  dropPartitions,
  forgetGone,
  makePartitions,
  partitionedTables,
} from './telemetry-partitions.store.ts';
import { sumUp } from './telemetry-rollups.store.ts';

export interface RetentionOptions extends Pick<Shared, 'database' | 'log'> {
  /** for how many days each sample is kept */
  sampleDays: number;
}

/** Keeps the tables of telemetry: creates partitions ahead, deletes what is over, and sums up the past. */
export function telemetryJobs({ database, sampleDays, log }: RetentionOptions) {
  const prepared = Promise.withResolvers<void>();

  async function tidy(signal: AbortSignal): Promise<void> {
    const gone = await dropPartitions(database, sampleDays);
    if (gone.length > 0) log.info('partitions of telemetry were dropped', { partitions: gone });
    for (const table of partitionedTables) {
      while (!signal.aborted && (await deleteExpired(database, table)) > 0);
    }
    await forgetGone(database);
  }

  /** Nothing can be stored without partitions, so a failure is tried again at once. */
  async function prepare(signal: AbortSignal): Promise<void> {
    await retry(() => makePartitions(database), {
      pause: { first: 1_000, cap: 1_000 },
      failed: (error) => void log.warn('partitions of telemetry could not be created', { error }),
      signal,
      // only a supervisor that stops ends it without them
    }).catch(() => undefined);
    prepared.resolve();
  }

  const retention: Job = {
    name: 'telemetry_retention',
    every: 600,
    async run(signal) {
      await prepare(signal);
      await tidy(signal);
    },
  };
  const sums: Job = {
    name: 'telemetry_sums',
    every: 15,
    async run(signal) {
      while (!signal.aborted && (await sumUp(database)) > 0);
    },
  };
  return {
    /** resolves once there are partitions for what is reported now */
    prepared: prepared.promise,
    jobs: [retention, sums],
  };
}
