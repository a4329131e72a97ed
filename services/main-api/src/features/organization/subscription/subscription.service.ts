import type { Plan } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { problem } from '@sluice/service';
import { allowed, featuresOf } from '@sluice/catalogue/features';
import { changeOf } from '../../../changes.ts';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import { getSubscription, updatePlan } from './subscriptions.store.ts';
import { type TenantPath, lockTenant, type TenantTerms } from '@sluice/main-store/tenants.store';
import { sendShapes } from '../../regions/shapes.ts';
import { limitsOf } from './limits.ts';
import { publishFeatures } from './plan-features.ts';
import { usedBy } from './plan-use.ts';

export type SubscriptionService = ReturnType<typeof subscriptionService>;

/** What a tenant has subscribed to (interface, 2.1 and 4.16). */
export function subscriptionService(core: Core) {
  const { database, work } = core;
  return {
    get: ({ tenant_id }: TenantPath) => getSubscription(database, tenant_id),

    limits: ({ tenant_id }: TenantPath) => limitsOf(core, tenant_id),

    /** Changes the plan, and sends its limits to the regions. */
    change: (caller: Caller, { tenant_id }: TenantPath, plan: Plan) =>
      work(caller, async (tx) => {
        const tenant = await lockTenant(tx, tenant_id);
        if (plan === tenant.plan) return;
        await requireEnough(tx, core, tenant, plan);
        await updatePlan(tx, tenant_id, plan);
        await sendShapes(tx, caller.cause, core, { ...tenant, plan }, { tenant_id });
        tx.emit('subscription_updated', { tenant_id }, changeOf<Pick<TenantTerms, 'plan'>>(tenant, { plan }));
        await publishFeatures(tx, core, { ...tenant, plan });
      }),
  };
}

/**
 * Refuses a plan that allows less than the former one of something of which the tenant has more. Of what it has too much
 * already, since the catalogue has changed, it may keep what it has.
 * @throws Problem `limit_reached`, naming each such limit and by how much it is exceeded
 */
async function requireEnough(
  tx: Transaction,
  { catalogue, now }: Pick<Core, 'catalogue' | 'now'>,
  tenant: TenantTerms,
  plan: Plan,
): Promise<void> {
  const had = featuresOf(catalogue, tenant);
  const has = featuresOf(catalogue, { ...tenant, plan });
  const exceeded = [...(await usedBy(tx, tenant.id, now()))]
    .map(([name, used]) => ({ name, limit: allowed(has, name), used }))
    .filter(({ name, limit, used }) => used > limit && limit < allowed(had, name))
    .map((over) => ({ ...over, excess: over.used - over.limit }));
  const [first] = exceeded;
  if (!first) return;
  const list = exceeded.map(({ name, limit, used }) => `${name} (${used} of ${limit})`);
  throw problem('limit_reached', {
    detail: `The tenant has more than the plan ${plan} allows: ${list.join(', ')}.`,
    extensions: { limit: { name: first.name, value: first.limit }, exceeded },
  });
}
