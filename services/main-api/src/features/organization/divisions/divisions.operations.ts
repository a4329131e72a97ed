import { created, listed, noContent, ok, pageOf, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { DivisionRow } from '../../../stores/divisions.entity.ts';
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

    async listDivisions({ caller, params, query, url }) {
      const page = pageOf(query);
      const [rows, total] = await divisions.list(caller, params, page);
      return listed(url, page, rows.map(divisionView), total);
    },

    async getDivision({ caller, params }) {
      return ok(divisionView(await divisions.get(caller, params)));
    },

    async updateDivision({ caller, params, body }) {
      await divisions.update(caller, params, body);
      return noContent();
    },

    async deleteDivision({ caller, params, query }) {
      await divisions.delete(caller, params, query.code);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

function divisionView(division: DivisionRow): components['schemas']['Division'] {
  return {
    id: division.id,
    name: division.name,
    description: division.description,
    email: division.email,
    email_subdomain: division.email_subdomain,
    protected: division.protected,
    created_at: division.created_at.toISOString(),
    updated_at: division.updated_at.toISOString(),
  };
}
