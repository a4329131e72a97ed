import { setTimeout as pauseFor } from 'node:timers/promises';
import { repeatedly, type Log } from '@sluice/service-kit';
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

const sumUpSeconds = 15;
/** of partitions, and of what is over */
const everySeconds = 600;

/** Keeps the tables of telemetry: partitions ahead, what is over away, and what is past summed up. */
export function keepTelemetry(options: UpkeepOptions) {
  const { database, sampleDays, log } = options;
  const prepared = Promise.withResolvers<void>();

  const failedAt = (what: string) => (error: unknown) =>
    log.warn('the upkeep of telemetry failed; it will be tried again', { what, error });

  async function tidy(signal: AbortSignal): Promise<void> {
    const gone = await dropPartitions(database, sampleDays);
    if (gone.length > 0) log.info('telemetry that nobody keeps is dropped', { partitions: gone });
    for (const table of partitionedTables) {
      while (!signal.aborted && (await deleteExpired(database, table)) > 0);
    }
    await forgetGone(database);
  }

  /** Nothing can be stored without partitions: what fails here is tried again at once. */
  async function prepare(signal: AbortSignal): Promise<void> {
    const isPrepared = () =>
      makePartitions(database).then(
        () => true,
        (error: unknown) => {
          if (!signal.aborted) failedAt('partitions')(error);
          return false;
        },
      );
    while (!signal.aborted && !(await isPrepared()))
      await pauseFor(1_000, undefined, { signal }).catch(() => undefined);
    prepared.resolve();
  }

  const ends = [
    repeatedly({
      everySeconds,
      async run(signal) {
        await prepare(signal);
        await tidy(signal);
      },
      failed: failedAt('retention'),
    }),
    repeatedly({
      everySeconds: sumUpSeconds,
      async run(signal) {
        while (!signal.aborted && (await sumUp(database)) > 0);
      },
      failed: failedAt('sums'),
    }),
  ];

  return {
    /** resolves once there are partitions for what is told now */
    prepared: prepared.promise,
    async stop(): Promise<void> {
      await Promise.all(ends.map((end) => end()));
    },
  };
}
