import { setTimeout as pauseFor } from 'node:timers/promises';
import { system, type Log, type UnitOfWork } from '@sluice/service-kit';
import type { Database, Transaction } from '../database/tables.ts';
import { findLocked } from '../stores/deployments.store.ts';
import { listDueSpending } from '../stores/spending.store.ts';
import { settleSpending } from './settle-spending.ts';

export interface SpendWatchOptions {
  database: Database;
  work: UnitOfWork<Transaction>;
  now: () => Date;
  log: Log;
}

const pauseMilliseconds = 5_000;
/** deployments that one look sees to; with as many the next follows at once */
const mostAtOnce = 100;

/**
 * Stops deployments that reach their spend limit, and lets them start with the next month. When that will be is known of each, so only
 * those are looked at whose time has come. What one replica has done, the next one does not find.
 * @returns ends it
 */
export function watchSpending(options: SpendWatchOptions): () => Promise<void> {
  const { log } = options;
  const ended = new AbortController();

  async function lookAgainAndAgain(): Promise<void> {
    while (!ended.signal.aborted) {
      const seen = await settleDue(options, ended.signal).catch((error: unknown) => {
        log.warn('spend limits could not be looked at', { error });
        return 0;
      });
      if (seen >= mostAtOnce) continue;
      await pauseFor(pauseMilliseconds, undefined, { signal: ended.signal }).catch(() => undefined);
    }
  }

  const looking = lookAgainAndAgain();
  return async () => {
    ended.abort();
    await looking;
  };
}

/** Looks once. @returns how many were settled */
export async function settleDue(
  { database, work, now, log }: SpendWatchOptions,
  ended?: AbortSignal,
): Promise<number> {
  let settled = 0;
  for (const id of await listDueSpending(database, now(), mostAtOnce)) {
    if (ended?.aborted) break;
    // one that cannot be settled keeps nobody else waiting
    await work(system, async (tx) => {
      if (await findLocked(tx.db, id)) await settleSpending(tx, id, now());
    }).then(
      () => settled++,
      (error: unknown) =>
        log.warn('the spend limit of a deployment could not be settled', { deployment: id, error }),
    );
  }
  return settled;
}
