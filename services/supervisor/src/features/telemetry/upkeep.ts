import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Job } from '@sluice/controller';
import type { Log } from '@sluice/service';
import type { Database } from '../../database/tables.ts';
import {
  deleteExpired,
  dropPartitions,
  forgetGone,
  makePartitions,
  partitionedTables,
} from '../../stores/telemetry-partitions.store.ts';
import { sumUp } from '../../stores/telemetry-rollups.store.ts';

export interface UpkeepOptions {
  database: Database;
  /** for how many days each sample is kept */
  sampleDays: number;
  log: Log;
}

/** Keeps the tables of telemetry: creates partitions ahead, deletes what is over, and sums up the past. */
export function telemetryJobs({ database, sampleDays, log }: UpkeepOptions) {
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
    const isPrepared = () =>
      makePartitions(database).then(
        () => true,
        (error: unknown) => {
          if (!signal.aborted) log.warn('partitions of telemetry could not be created', { error });
          return false;
        },
      );
    while (!signal.aborted && !(await isPrepared()))
      await pauseFor(1_000, undefined, { signal }).catch(() => undefined);
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
