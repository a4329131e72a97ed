import { created, listed, noContent, ok, pageOf, type Handlers } from '@sluice/service-kit';
import type { components, operations } from '../../../generated/api.ts';
import type { EnvironmentRow } from '../../../stores/environments.entity.ts';
import type { EnvironmentsService } from './environments.service.ts';

export function environmentOperations(environments: EnvironmentsService) {
  return {
    async createEnvironment(call) {
      const { tenant_id, division_id } = call.params;
      const environment = await environments.create(call.caller, { tenant_id, division_id }, call.body);
      const location = `/tenants/${tenant_id}/divisions/${division_id}/environments/${environment.id}`;
      return created('environment', location, environmentBody(environment));
    },

    async listEnvironments({ params, query, caller, url }) {
      const page = pageOf(query);
      const [rows, total] = await environments.list(caller, params, page);
      return listed(url, page, rows.map(environmentBody), total);
    },

    async getEnvironment({ params: { environment_id, ...place }, caller }) {
      return ok(environmentBody(await environments.get(caller, place, environment_id)));
    },

    async updateEnvironment(call) {
      const { environment_id, ...place } = call.params;
      await environments.update(call.caller, place, environment_id, call.body);
      return noContent();
    },

    async deleteEnvironment(call) {
      const { environment_id, ...place } = call.params;
      await environments.delete(call.caller, place, environment_id, call.query.code);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

function environmentBody(environment: EnvironmentRow): components['schemas']['Environment'] {
  return {
    id: environment.id,
    name: environment.name,
    description: environment.description,
    protected: environment.protected,
    created_at: environment.created_at.toISOString(),
    updated_at: environment.updated_at.toISOString(),
  };
}
