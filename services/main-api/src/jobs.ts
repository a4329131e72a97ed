import { watchConnection } from '@sluice/messaging';
import type { ServiceRuntime } from '@sluice/runtime';
import type { LiveCatalogue } from '@sluice/catalogue/live-catalogue';
import type { MainApiEnvironment } from './config.ts';
import type { Core } from './core.ts';
import type { BucketKeeper } from '@sluice/grant-publication/publication/bucket-keeper';
import type { sessionUse } from './features/identity/sessions/session-use.ts';
import { closingJob } from './features/billing/closing-job.ts';
import { billingChangesJob } from './features/billing/operators-job.ts';
import { billingPruningJob } from './features/billing/pruning-job.ts';
import { invoiceTermsOf } from '@sluice/billing/seller';
import { publishPlanFeatures } from './features/organization/subscription/plan-features.ts';
import { budgetsJob } from './features/billing/budgets-job.ts';
import { missingUsageJob } from './features/billing/missing-usage.ts';
import { usageRequestsJob } from './features/regions/usage-requests.ts';
import { priceChangesJob } from './features/regions/price-changes.ts';
import { collectionsJob } from './features/payments/payment-queue.ts';
import { suspensionsJob } from './features/payments/suspensions.ts';
import { drainedRegionsJob } from './features/regions/drained-regions.ts';
import { unreportedJob } from './features/regions/unreported.ts';
import { incidentsJob } from './features/status/incidents-job.ts';
import { decisionsJob } from './features/restore/decisions-job.ts';

interface Parts {
  catalogue: LiveCatalogue;
  keeper: Awaited<ReturnType<typeof BucketKeeper.open>>;
  sessions: ReturnType<typeof sessionUse>;
  /** wakes the queue of payments */
  requested: () => void;
}

export async function scheduleJobs(
  runtime: ServiceRuntime,
  core: Core,
  environment: MainApiEnvironment,
  { catalogue, keeper, sessions, requested }: Parts,
): Promise<void> {
  const { schedule, notifications, nats, metrics, log } = runtime;
  // before the pool of TypeORM, which ends with `onStop` as well
  runtime.onStop(() => schedule.stop());
  const { look, renew, leftovers, compare, cleanUp } = keeper.jobs;
  const { wake: lookAtBucket } = schedule.add(look);
  watchConnection(nats, { back: lookAtBucket });
  for (const job of [renew, compare, cleanUp]) schedule.add(job);
  // programs without NATS, such as the seed, have changed grants
  const { wake: publishLeftovers } = schedule.add(leftovers);
  await notifications.listen('grants', publishLeftovers);
  const { wake: publishFeatures } = schedule.add(publishPlanFeatures(core));
  schedule.add(
    catalogue.job({ every: environment.CATALOGUE_CHECK_SECONDS, metrics, log, changed: publishFeatures }),
  );
  const { wake: carryOutDecisions } = schedule.add(decisionsJob({ ...core, log }, metrics));
  await notifications.listen('restore_decisions', carryOutDecisions);
  const { wake: recordDrained } = schedule.add(drainedRegionsJob({ ...core, log }));
  await notifications.listen('drained_regions', recordDrained);
  const { wake: recordIncidents } = schedule.add(
    incidentsJob({ ...core, log }, environment.REGION_REPORT_SECONDS),
  );
  await notifications.listen('incidents', recordIncidents);
  schedule.add(core.prices.job());
  const { wake: sendPrices } = schedule.add(priceChangesJob({ ...core, log }));
  await notifications.listen('price_lists', sendPrices);
  const { wake: requestUsage } = schedule.add(usageRequestsJob(core));
  await notifications.listen('usage_requests', requestUsage);
  schedule.add(missingUsageJob(core, metrics));
  schedule.add(budgetsJob({ ...core, log }));
  const { wake: sendSuspensions } = schedule.add(suspensionsJob({ ...core, log }));
  await notifications.listen('suspensions', sendSuspensions);
  schedule.add(collectionsJob(core, metrics, requested));
  schedule.add(sessions.job);
  schedule.add(unreportedJob(core, environment.REGION_REPORT_SECONDS, log));
  const terms = invoiceTermsOf(environment, core.paymentProvider);
  if (terms) {
    const { wake: close } = schedule.add(closingJob(core, terms, { metrics, log }));
    await notifications.listen('closing_requests', close);
  }
  schedule.add(billingPruningJob(core));
  const { wake: recordChanges } = schedule.add(billingChangesJob(core));
  await notifications.listen('billing_changes', recordChanges);
}
