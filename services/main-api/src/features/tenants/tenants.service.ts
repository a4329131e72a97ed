import { allows, seesDivision, seesEnvironment, type TenantId } from '@sluice/contracts';
import { problem, type Principal } from '@sluice/service-kit';
import { featuresOf, tierLimit } from '../../catalogue/features.ts';
import type { Core } from '../../core.ts';
import { countByTier } from '../deployments/deployments.store.ts';
import { readStructure } from './structure.store.ts';
import { findSubscription, findTenant, readTerms } from './tenants.store.ts';

export type TenantsService = ReturnType<typeof tenantsService>;

/** The tenant as its members see it (interface, 2.1 and 2.4). */
export function tenantsService({ database, catalogue }: Pick<Core, 'database' | 'catalogue'>) {
  /** Everything in the tenant that the caller may see. */
  const visibleTo = async ({ permissions }: Principal, tenantId: TenantId) => {
    const all = await readStructure(database, tenantId);
    return {
      divisions: all.divisions.filter(({ id }) => seesDivision(permissions, id)),
      environments: all.environments.filter((row) => seesEnvironment(permissions, row.division_id, row.id)),
      deployments: all.deployments.filter(({ division_id, environment_id }) => {
        const place = { division: division_id, environment: environment_id };
        return allows(permissions, 'environment', 'deployment:read', place);
      }),
    };
  };
  return {
    async get(tenantId: TenantId) {
      const tenant = await findTenant(database, tenantId);
      const subscription = await findSubscription(database, tenantId);
      if (!tenant || !subscription) throw problem('not_found');
      const { plan, feature_overrides } = await readTerms(database, tenantId);
      const features = featuresOf(catalogue, plan, feature_overrides);
      const free = (await countByTier(database, tenantId)).get('free') ?? 0;
      return { tenant, subscription, features, starterAvailable: free < tierLimit(features, 'free') };
    },

    async structure(principal: Principal, tenantId: TenantId) {
      const tenant = await findTenant(database, tenantId);
      if (!tenant) throw problem('not_found');
      const { divisions, environments, deployments } = await visibleTo(principal, tenantId);
      const inEnvironment = Map.groupBy(deployments, ({ environment_id }) => environment_id);
      const inDivision = Map.groupBy(environments, ({ division_id }) => division_id);
      return {
        id: tenant.id,
        name: tenant.name,
        divisions: divisions.map((division) => ({
          ...division,
          environments: (inDivision.get(division.id) ?? []).map(({ id, name }) => ({
            id,
            name,
            deployments: inEnvironment.get(id) ?? [],
          })),
        })),
      };
    },

    async summary(principal: Principal, tenantId: TenantId) {
      const { divisions, environments, deployments } = await visibleTo(principal, tenantId);
      return {
        total_divisions: divisions.length,
        total_environments: environments.length,
        total_deployments: deployments.length,
      };
    },
  };
}
