import type { Job } from '@sluice/controller';
import { system, type Log } from '@sluice/service';
import type { Base } from '@sluice/region-store/tables';
import { findLocked } from '@sluice/region-store/deployments.store';
import { listDueSpending, listRunning } from './spending.store.ts';
import { settleSpending } from './settle-spending.ts';
import { each } from '../each.ts';

export type SpendWatchOptions = Base & { log: Log };

/** deployments that one look sees to; with as many the next follows at once */
const mostAtOnce = 100;

/**
 * Stops deployments that reach their spend limit, and lets them start with the next month. When that will be is known of each, so only
 * those are looked at whose time has come; and those that run, once an hour, to report what they use. What one replica has done, the next one does not find.
 */
export function spendLimitsJob(options: SpendWatchOptions): Job {
  return {
    name: 'spend_limits',
    every: 5,
    async run(signal) {
      while (!signal.aborted && (await settleDue(options, signal)) >= mostAtOnce);
    },
  };
}

/** Looks once. @returns how many were settled */
export async function settleDue(
  { database, work, now, log }: SpendWatchOptions,
  ended?: AbortSignal,
): Promise<number> {
  const anHourAgo = new Date(now().getTime() - 3_600_000);
  const due = await listDueSpending(database, now(), mostAtOnce);
  const running = await listRunning(database, anHourAgo, mostAtOnce);
  return await each(
    [...new Set([...due, ...running])],
    (id) =>
      work(system, async (tx) => {
        if (await findLocked(tx.db, id)) await settleSpending(tx, id, now());
      }),
    { log, failed: 'the spend limit of a deployment could not be settled' },
    ended,
  );
}
