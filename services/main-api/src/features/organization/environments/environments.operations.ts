import { created, done, ok, paged, shown, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { EnvironmentRow } from '@sluice/main-store/environments.store';
import type { EnvironmentsService } from './environments.service.ts';

export function environmentsOperations(environments: EnvironmentsService) {
  return {
    async createEnvironment({ caller, params, body }) {
      const { tenant_id, division_id } = params;
      const environment = await environments.create(caller, params, body);
      const location = `/tenants/${tenant_id}/divisions/${division_id}/environments/${environment.id}`;
      return created('environment', location, environmentView(environment));
    },

    listEnvironments: ({ caller, params, query, url }) =>
      paged({ query, url }, (page) => environments.list(caller, params, query.label, page), environmentView),
    getEnvironment: async ({ caller, params }) => ok(environmentView(await environments.get(caller, params))),
    updateEnvironment: ({ caller, params, body, ifMatch }) =>
      done(environments.update(caller, params, body, (row) => ifMatch(() => environmentView(row)))),
    deleteEnvironment: ({ caller, params, query, ifMatch }) =>
      done(environments.delete(caller, params, query.code, (row) => ifMatch(() => environmentView(row)))),
  } satisfies Partial<Handlers<operations>>;
}

const environmentView = (environment: EnvironmentRow): components['schemas']['Environment'] =>
  shown(environment, 'id', 'name', 'description', 'labels', 'protected', 'created_at', 'updated_at');
