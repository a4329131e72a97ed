import { firstOfMonth } from '@sluice/contracts';
import type { Job } from '@sluice/controller';
import type { Core } from '../../core.ts';
import { pruneBillingInfos } from './billing-info.store.ts';
import { daysAfter } from '@sluice/billing/months';
import { pruneClosingRequests } from './operators.store.ts';

/** days for which the outcome of `sluice-admin billing close` is kept */
const requestDays = 90;
/** regions remember usage for 62 days */
const lateMonths = 3;

/** Removes what billing does not need any more: addresses of deleted tenants, and outcomes that operators have read. */
export function billingPruningJob({ database, now }: Pick<Core, 'database' | 'now'>): Job {
  return {
    name: 'billing_pruning',
    every: 6 * 3_600,
    async run() {
      await pruneClosingRequests(database, daysAfter(now(), -requestDays));
      await pruneBillingInfos(database, firstOfMonth(now(), -lateMonths));
    },
  };
}
