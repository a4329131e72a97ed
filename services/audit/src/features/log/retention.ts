import { sqlOf, type Log, type Pruning } from '@sluice/service';
import type pg from 'pg';
import { dropOldestPartition } from '../../stores/log-entries.store.ts';

/** Drops the months of the log that nobody has to keep any more, oldest first (decision 070). */
export function retention({ pool, log }: { pool: pg.Pool; log: Log }): Pruning[] {
  const remove = async () => {
    for (let dropped = await dropOldest(); dropped !== null; dropped = await dropOldest())
      log.info('a month of the audit log is over for all tenants; it was dropped', { partition: dropped });
    return 0;
  };
  const dropOldest = () => dropOldestPartition(sqlOf(pool));
  return [{ table: 'log_entries', remove }];
}
