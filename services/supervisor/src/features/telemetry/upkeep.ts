import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Log } from '@sluice/service-kit';
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
  const ended = new AbortController();
  const prepared = Promise.withResolvers<void>();

  async function attempt(what: string, work: () => Promise<unknown>): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (!ended.signal.aborted)
        log.warn('the upkeep of telemetry failed; it will be tried again', { what, error });
      return false;
    }
  }

  async function tidy(): Promise<void> {
    const gone = await dropPartitions(database, sampleDays);
    if (gone.length > 0) log.info('telemetry that nobody keeps is dropped', { partitions: gone });
    for (const table of partitionedTables) {
      while (!ended.signal.aborted && (await deleteExpired(database, table)) > 0);
    }
    await forgetGone(database);
  }

  async function again(seconds: number, work: () => Promise<unknown>): Promise<void> {
    while (!ended.signal.aborted) {
      await work();
      await pauseFor(seconds * 1_000, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  }

  async function prepare(): Promise<void> {
    while (!ended.signal.aborted && !(await attempt('partitions', () => makePartitions(database))))
      await pauseFor(1_000, undefined, { signal: ended.signal }).catch(() => undefined);
    prepared.resolve();
  }

  const running = Promise.all([
    again(everySeconds, async () => {
      await prepare();
      await attempt('retention', tidy);
    }),
    again(sumUpSeconds, () =>
      attempt('sums', async () => {
        while (!ended.signal.aborted && (await sumUp(database)) > 0);
      }),
    ),
  ]);

  return {
    /** resolves once there are partitions for what is told now */
    prepared: prepared.promise,
    async stop(): Promise<void> {
      ended.abort();
      await running;
    },
  };
}
