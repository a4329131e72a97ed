import { created, listed, noContent, ok, pageOf, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { EnvironmentRow } from '../../../stores/environments.entity.ts';
import type { EnvironmentsService } from './environments.service.ts';

export function environmentsOperations(environments: EnvironmentsService) {
  return {
    async createEnvironment({ caller, params, body }) {
      const { tenant_id, division_id } = params;
      const environment = await environments.create(caller, params, body);
      const location = `/tenants/${tenant_id}/divisions/${division_id}/environments/${environment.id}`;
      return created('environment', location, environmentView(environment));
    },

    async listEnvironments({ caller, params, query, url }) {
      const page = pageOf(query);
      const [rows, total] = await environments.list(caller, params, page);
      return listed(url, page, rows.map(environmentView), total);
    },

    async getEnvironment({ caller, params }) {
      return ok(environmentView(await environments.get(caller, params)));
    },

    async updateEnvironment({ caller, params, body }) {
      await environments.update(caller, params, body);
      return noContent();
    },

    async deleteEnvironment({ caller, params, query }) {
      await environments.delete(caller, params, query.code);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

function environmentView(environment: EnvironmentRow): components['schemas']['Environment'] {
  return {
    id: environment.id,
    name: environment.name,
    description: environment.description,
    protected: environment.protected,
    created_at: environment.created_at.toISOString(),
    updated_at: environment.updated_at.toISOString(),
  };
}
