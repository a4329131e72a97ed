import {
  allows,
  seesEnvironment,
  visibleDivisions,
  type DivisionId,
  type EnvironmentId,
} from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { problem } from '@sluice/service';
import type { Core } from '../../../core.ts';
import { countStructure, findStructure } from './structure.store.ts';
import type { TenantPath } from '@sluice/main-store/tenants.store';

export type StructureService = ReturnType<typeof structureService>;

/** What there is in a tenant, as far as the caller may see it (interface, 2.4 and 4.1). One statement each. */
export function structureService({ database }: Pick<Core, 'database'>) {
  return {
    async get({ permissions }: Caller, { tenant_id }: TenantPath) {
      const structure = await findStructure(database, tenant_id, visibleDivisions(permissions));
      if (!structure) throw problem('not_found');
      const divisions = structure.divisions.map(({ id: division, name, environments }) => ({
        id: division,
        name,
        environments: environments
          .filter(({ id }) => seesEnvironment(permissions, division, id))
          .map((environment) =>
            readsDeployments(permissions, division, environment.id)
              ? environment
              : { ...environment, deployments: [] },
          ),
      }));
      return { ...structure, divisions };
    },

    async summary({ permissions }: Caller, { tenant_id }: TenantPath) {
      const divisions = new Set<DivisionId>();
      let [environments, deployments] = [0, 0];
      for (const row of await countStructure(database, tenant_id, visibleDivisions(permissions))) {
        const { division_id, environment_id } = row;
        divisions.add(division_id);
        if (environment_id === null || !seesEnvironment(permissions, division_id, environment_id)) continue;
        environments++;
        if (readsDeployments(permissions, division_id, environment_id)) deployments += row.deployments;
      }
      return {
        total_divisions: divisions.size,
        total_environments: environments,
        total_deployments: deployments,
      };
    },
  };
}

const readsDeployments = (
  permissions: Caller['permissions'],
  division: DivisionId,
  environment: EnvironmentId,
) => allows(permissions, 'environment', 'deployment:read', { division, environment });
