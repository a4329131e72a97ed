import { created, done, ok, paged, shown, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { DivisionRow } from '@sluice/main-store/divisions.store';
import type { DivisionsService } from './divisions.service.ts';

export function divisionsOperations(divisions: DivisionsService) {
  return {
    async createDivision({ caller, params, body }) {
      const division = await divisions.create(caller, params, body);
      return created(
        'division',
        `/tenants/${params.tenant_id}/divisions/${division.id}`,
        divisionView(division),
      );
    },

    listDivisions: ({ caller, params, query, url }) =>
      paged({ query, url }, (page) => divisions.list(caller, params, query.label, page), divisionView),
    getDivision: async ({ caller, params }) => ok(divisionView(await divisions.get(caller, params))),
    updateDivision: ({ caller, params, body, ifMatch }) =>
      done(divisions.update(caller, params, body, (row) => ifMatch(() => divisionView(row)))),
    deleteDivision: ({ caller, params, query, ifMatch }) =>
      done(divisions.delete(caller, params, query.code, (row) => ifMatch(() => divisionView(row)))),
  } satisfies Partial<Handlers<operations>>;
}

const divisionView = (division: DivisionRow): components['schemas']['Division'] => ({
  ...shown(division, 'id', 'name', 'description', 'email', 'email_subdomain', 'labels', 'protected'),
  ...shown(division, 'created_at', 'updated_at'),
});
