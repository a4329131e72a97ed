import { allows, seesDivision, seesEnvironment, type TenantId } from '@sluice/contracts';
import { problem, type BodyOf, type Caller } from '@sluice/service-kit';
import { featuresOf, tierLimit } from '../../../catalogue/features.ts';
import { changesTo } from '../../../changes.ts';
import type { Core } from '../../../core.ts';
import type { operations } from '../../../generated/api.ts';
import { countByTier, deploymentsExist, listAllDeployments } from '../../../stores/deployments.store.ts';
import { listAllDivisions } from '../../../stores/divisions.store.ts';
import { listAllEnvironments } from '../../../stores/environments.store.ts';
import { findSubscription } from '../../../stores/subscriptions.store.ts';
import {
  getTenant,
  lockTenant,
  lockTenantToDelete,
  getTerms,
  updateTenant,
} from '../../../stores/tenants.store.ts';
import { deletion, requireCode, requireMayProtect } from '../protection/guard.ts';
import { deleteTenantAndAllInIt } from './tenant-deletion.ts';

export type TenantChanges = BodyOf<operations['updateTenant']>;
export type TenantsService = ReturnType<typeof tenantsService>;

/** The tenant itself (interface, 2.1, 2.4 and 4.1). */
export function tenantsService(core: Core) {
  const { database, catalogue, work } = core;
  /** Everything in the tenant that the caller may see. */
  const visibleTo = async ({ permissions }: Caller, tenantId: TenantId) => {
    const [divisions, environments, deployments] = await Promise.all([
      listAllDivisions(database, tenantId),
      listAllEnvironments(database, tenantId),
      listAllDeployments(database, tenantId),
    ]);
    return {
      divisions: divisions.filter(({ id }) => seesDivision(permissions, id)),
      environments: environments.filter((row) => seesEnvironment(permissions, row.division_id, row.id)),
      deployments: deployments.filter(({ division_id, environment_id }) => {
        const place = { division: division_id, environment: environment_id };
        return allows(permissions, 'environment', 'deployment:read', place);
      }),
    };
  };
  return {
    async get(tenantId: TenantId) {
      const tenant = await getTenant(database, tenantId);
      const subscription = await findSubscription(database, tenantId);
      if (!subscription) throw problem('not_found');
      const { plan, feature_overrides } = await getTerms(database, tenantId);
      const features = featuresOf(catalogue, plan, feature_overrides);
      const free = (await countByTier(database, tenantId)).get('free') ?? 0;
      return { tenant, subscription, features, starterAvailable: free < tierLimit(features, 'free') };
    },

    /** @throws Problem `not_found`, `owner_only` */
    update: (caller: Caller, tenantId: TenantId, wanted: TenantChanges) =>
      work(caller, async (tx) => {
        await lockTenant(tx, tenantId);
        const tenant = await getTenant(tx, tenantId);
        requireMayProtect(caller, tenant, wanted.protected);
        const changes = changesTo(tenant, wanted);
        if (Object.keys(changes).length === 0) return;
        await updateTenant(tx, tenantId, changes);
        tx.emit('tenant_updated', { tenant_id: tenantId }, { changes });
      }),

    /**
     * Deletes the tenant with all that is in it, for good.
     * @throws Problem as `requireCode` does; `not_found`, `has_deployments`
     */
    delete: (caller: Caller, tenantId: TenantId, code: string | undefined) =>
      deletion(core, caller, async (tx) => {
        const tenant = await lockTenantToDelete(tx, tenantId);
        await requireCode(tx, core, { tenant_id: tenantId }, tenant, code);
        if (await deploymentsExist(tx, { tenant_id: tenantId })) throw problem('has_deployments');
        await deleteTenantAndAllInIt(tx, tenantId);
        tx.emit('tenant_deleted', { tenant_id: tenantId }, { name: tenant.name });
      }),

    async structure(caller: Caller, tenantId: TenantId) {
      const tenant = await getTenant(database, tenantId);
      const { divisions, environments, deployments } = await visibleTo(caller, tenantId);
      const inEnvironment = Map.groupBy(deployments, ({ environment_id }) => environment_id);
      const inDivision = Map.groupBy(environments, ({ division_id }) => division_id);
      return {
        id: tenant.id,
        name: tenant.name,
        divisions: divisions.map((division) => ({
          id: division.id,
          name: division.name,
          environments: (inDivision.get(division.id) ?? []).map(({ id, name }) => ({
            id,
            name,
            deployments: inEnvironment.get(id) ?? [],
          })),
        })),
      };
    },

    async summary(caller: Caller, tenantId: TenantId) {
      const { divisions, environments, deployments } = await visibleTo(caller, tenantId);
      return {
        total_divisions: divisions.length,
        total_environments: environments.length,
        total_deployments: deployments.length,
      };
    },
  };
}
