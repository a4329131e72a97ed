import type { Log, Pruning } from '@sluice/service';
import type { Database } from '../../database/tables.ts';
import { dropOldestPartition } from './log-entries.store.ts';

/** Drops the months of the audit log that no plan keeps any more, oldest first (decision 070). */
export function retention(database: Database, log: Log): Pruning[] {
  const remove = async () => {
    for (
      let dropped = await dropOldestPartition(database);
      dropped !== null;
      dropped = await dropOldestPartition(database)
    )
      log.info('a month of the audit log is over for all tenants; it was dropped', { partition: dropped });
    return 0;
  };
  return [{ table: 'log_entries', remove }];
}
