import type { Job } from '@sluice/controller';
import { system, type Log } from '@sluice/service';
import type { Core } from '../../core.ts';
import { listTenantsIn } from '@sluice/main-store/deployments.store';
import { lockUnrecorded, markRecorded } from './regions.store.ts';

/**
 * Records that operators drain a region or end that, in the audit log of each tenant with deployments there. `sluice-admin region` changes
 * the row, which is in force at once, and wakes this.
 */
export function drainedRegionsJob({ work, log }: Pick<Core, 'work'> & { log: Log }): Job {
  return {
    name: 'drained_regions',
    every: 5,
    run: () =>
      work(system, async (tx) => {
        for (const row of await lockUnrecorded(tx)) {
          const { cloud, region, drain_reason: reason } = row;
          const type = row.drained_at ? 'region_drained' : 'region_undrained';
          for (const tenant_id of await listTenantsIn(tx, row))
            tx.emit(type, { tenant_id }, { cloud, region, ...(reason !== null && { reason }) });
          await markRecorded(tx, row);
          log.warn(row.drained_at ? 'a region is drained' : 'a region takes deployments again', {
            ...{ cloud, region, reason },
          });
        }
      }),
  };
}
