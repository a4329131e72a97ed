import { setTimeout as pause } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { Problem, system, type Log } from '@sluice/service';
import { featuresOf } from '../../../catalogue/features.ts';
import type { Core } from '../../../core.ts';
import type { Transaction } from '../../../database.ts';
import { updateFeaturesTold } from '../../../stores/subscriptions.store.ts';
import { findTermsAfter, lockTenant, type TenantTerms } from '../../../stores/tenants.store.ts';

type Plan = Pick<TenantTerms, 'id' | 'plan' | 'feature_overrides'>;

/** Tells the services that have no catalogue what a locked tenant's plan allows, where they were told anything else last. */
export async function tellFeatures(
  tx: Transaction,
  { catalogue }: Pick<Core, 'catalogue'>,
  { id: tenant_id, plan, feature_overrides }: Plan,
): Promise<void> {
  const features = featuresOf(catalogue, plan, feature_overrides);
  const version = await updateFeaturesTold(tx, tenant_id, features);
  if (version !== undefined) tx.emit('tenant_features_updated', { tenant_id }, { version, features });
}

const batch = 500;

/** Tells what the catalogue, which may have changed, says of all tenants. Each is locked for itself, and only where there is news. */
async function tellAllFeatures(
  { database, work, catalogue }: Pick<Core, 'database' | 'work' | 'catalogue'>,
  signal?: AbortSignal,
): Promise<void> {
  let after = 0;
  for (;;) {
    const tenants = await findTermsAfter(database, after, batch);
    for (const { id, plan, feature_overrides, features_told } of tenants) {
      if (signal?.aborted) return;
      if (isDeepStrictEqual(features_told, featuresOf(catalogue, plan, feature_overrides))) continue;
      await work(system, async (tx) => tellFeatures(tx, { catalogue }, await lockTenant(tx, id))).catch(
        (error: unknown) => {
          // it was deleted meanwhile
          if (!(error instanceof Problem && error.code === 'not_found')) throw error;
        },
      );
    }
    const last = tenants.at(-1);
    if (!last || tenants.length < batch) return;
    after = last.id;
  }
}

/** also where a replica with another catalogue has told something else meanwhile */
const restMilliseconds = 10 * 60 * 1000;
const retryMilliseconds = 30 * 1000;

/** Tells of the plans of all tenants now, whenever it is woken, and once in a while. */
export function keepFeaturesTold(core: Pick<Core, 'database' | 'work' | 'catalogue'>, log: Log) {
  const ending = new AbortController();
  let waking = new AbortController();
  const run = async () => {
    while (!ending.signal.aborted) {
      waking = new AbortController();
      let rest = restMilliseconds;
      await tellAllFeatures(core, ending.signal).catch((error: unknown) => {
        rest = retryMilliseconds;
        log.warn('other services could not be told what plans allow; that is tried again', { error });
      });
      const signal = AbortSignal.any([waking.signal, ending.signal]);
      await pause(rest, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  const running = run();
  return {
    wake: () => waking.abort(),
    async stop() {
      ending.abort();
      await running;
    },
  };
}
