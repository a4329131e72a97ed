import { isDeepStrictEqual } from 'node:util';
import type { Job } from '@sluice/controller';
import { Problem, system } from '@sluice/service';
import { featuresOf } from '@sluice/catalogue/features';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import { updatePublishedFeatures } from './subscriptions.store.ts';
import { batches } from '@sluice/main-store/rows';
import { findTermsAfter, lockTenant, type TenantTerms } from '@sluice/main-store/tenants.store';

type Plan = Pick<TenantTerms, 'id' | 'plan' | 'feature_overrides'>;

/** Sends what a locked tenant's plan allows to the services without a catalogue, unless that was sent last. */
export async function publishFeatures(
  tx: Transaction,
  { catalogue }: Pick<Core, 'catalogue'>,
  { id: tenant_id, ...terms }: Plan,
): Promise<void> {
  const features = featuresOf(catalogue, terms);
  const version = await updatePublishedFeatures(tx, tenant_id, features);
  if (version !== undefined) tx.emit('tenant_features_updated', { tenant_id }, { version, features });
}

const batch = 500;

/** Publishes what the catalogue allows all tenants. Each is locked on its own, and only where something has changed. */
async function publishAll(
  { database, work, catalogue }: Pick<Core, 'database' | 'work' | 'catalogue'>,
  signal: AbortSignal,
): Promise<void> {
  const list = (after: number) => findTermsAfter(database, after, batch);
  for await (const tenants of batches(0, list, ({ id }) => id))
    for (const { id, published_features, ...terms } of tenants) {
      if (signal.aborted) return;
      if (isDeepStrictEqual(published_features, featuresOf(catalogue, terms))) continue;
      await work(system, async (tx) => publishFeatures(tx, { catalogue }, await lockTenant(tx, id))).catch(
        (error: unknown) => {
          // it was deleted meanwhile
          if (!(error instanceof Problem && error.code === 'not_found')) throw error;
        },
      );
    }
}

/** Woken by a changed catalogue. The long interval is for replicas that had another catalogue for a while. */
export function publishPlanFeatures(core: Pick<Core, 'database' | 'work' | 'catalogue'>): Job {
  let hasFailed = false;
  return {
    name: 'plan_features',
    every: () => (hasFailed ? 30 : 600),
    async run(signal) {
      hasFailed = true;
      await publishAll(core, signal);
      hasFailed = false;
    },
  };
}
