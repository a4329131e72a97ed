import type { TenantId } from '@sluice/contracts';
import { inTransaction, sqlOf, type Log, type Pruning } from '@sluice/service';
import type pg from 'pg';
import { blockSize, countNext, deleteCountsOfGone, uncountedTenants } from '../../stores/log-counts.store.ts';

/** tenants that are looked for at a time */
const mostTenants = 1_000;

export type Counts = ReturnType<typeof logCounts>;

/** Counts the logs of tenants, thousand by thousand, behind those who add to them (decision 073). */
export function logCounts({ pool, log }: { pool: pg.Pool; log: Log }) {
  /** whose logs have got another thousand */
  const grown = new Set<TenantId>();
  let counting: Promise<void> | undefined;
  let stopped = false;

  async function countAll(): Promise<void> {
    for (const tenant of grown) {
      grown.delete(tenant);
      // what is not counted is looked for once in a while
      await countLog(tenant).catch((error: unknown) =>
        log.warn('a log could not be counted; it will be tried again', { tenant_id: tenant, error }),
      );
      if (stopped) return;
    }
  }

  async function countLog(tenant: TenantId): Promise<void> {
    while (!stopped && (await inTransaction(pool, (sql) => countNext(sql, tenant))));
  }

  async function countUncounted(): Promise<number> {
    const tenants = await uncountedTenants(sqlOf(pool), mostTenants);
    for (const tenant of tenants) await countLog(tenant);
    return 0;
  }

  return {
    /** Is told of each log that has grown, from one number to another, before or after that is committed. */
    grown(tenant: TenantId, from: number, to: number): void {
      if (stopped || Math.floor(from / blockSize) === Math.floor(to / blockSize)) return;
      grown.add(tenant);
      counting ??= new Promise<void>((resolve) => void setImmediate(resolve))
        .then(countAll)
        .finally(() => (counting = undefined));
    },

    async stop(): Promise<void> {
      stopped = true;
      await counting;
    },

    /** What was left uncounted by replicas that ended, and counts of what is gone. */
    pruning: [
      { table: 'log_counted', remove: countUncounted },
      { table: 'log_counts', remove: () => deleteCountsOfGone(sqlOf(pool)).then(() => 0) },
    ] satisfies Pruning[],
  };
}
