import { featuresSchema, type Features, type TenantId } from '@sluice/contracts';
import { system } from '@sluice/service';
import { featuresOf, type FeatureOverrides } from '@sluice/catalogue/features';
import type { Core } from '../../../core.ts';
import { lockTenant, updateTenant } from '@sluice/main-store/tenants.store';
import { sendShapes } from '../../regions/shapes.ts';
import { publishFeatures } from './plan-features.ts';

/** What can be agreed with a tenant: any of the names that its `features` have, and no other. */
export const agreementSchema = featuresSchema.partial();

/**
 * Says what was agreed with a tenant on the plan enterprise in place of the plan's values, and of what was agreed before; the
 * regions get it. What the tenant has too much of then stays.
 * @returns the features that follow
 * @throws Problem `not_found`; Error when the tenant is on another plan
 */
export function agree(
  { work, catalogue, prices }: Pick<Core, 'work' | 'catalogue' | 'prices'>,
  tenant_id: TenantId,
  agreed: FeatureOverrides,
): Promise<Features> {
  return work(system, async (tx) => {
    const tenant = await lockTenant(tx, tenant_id);
    if (tenant.plan !== 'enterprise')
      throw new Error(
        `Tenant ${tenant_id} is on the plan ${tenant.plan}; agreements count on enterprise alone.`,
      );
    await updateTenant(tx, tenant_id, { feature_overrides: agreed });
    const now = { ...tenant, feature_overrides: agreed };
    await sendShapes(tx, system.cause, { catalogue, prices }, now, { tenant_id });
    tx.emit(
      'subscription_updated',
      { tenant_id },
      { changes: { agreed }, former: { agreed: tenant.feature_overrides } },
    );
    await publishFeatures(tx, { catalogue }, now);
    return featuresOf(catalogue, now);
  });
}
