import { created, listed, noContent, ok, pageOf, type Handlers } from '@sluice/service-kit';
import type { components, operations } from '../../../generated/api.ts';
import type { DivisionRow } from '../../../stores/divisions.entity.ts';
import type { DivisionsService } from './divisions.service.ts';

export function divisionOperations(divisions: DivisionsService) {
  return {
    async createDivision(call) {
      const { tenant_id } = call.params;
      const division = await divisions.create(call.caller, tenant_id, call.body);
      return created('division', `/tenants/${tenant_id}/divisions/${division.id}`, divisionBody(division));
    },

    async listDivisions({ params, query, caller, url }) {
      const page = pageOf(query);
      const [rows, total] = await divisions.list(caller, params.tenant_id, page);
      return listed(url, page, rows.map(divisionBody), total);
    },

    async getDivision({ params, caller }) {
      return ok(divisionBody(await divisions.get(caller, params.tenant_id, params.division_id)));
    },

    async updateDivision(call) {
      const { tenant_id, division_id } = call.params;
      await divisions.update(call.caller, tenant_id, division_id, call.body);
      return noContent();
    },

    async deleteDivision(call) {
      const { tenant_id, division_id } = call.params;
      await divisions.delete(call.caller, tenant_id, division_id, call.query.code);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

function divisionBody(division: DivisionRow): components['schemas']['Division'] {
  return {
    id: division.id,
    name: division.name,
    description: division.description,
    email: division.email,
    protected: division.protected,
    created_at: division.created_at.toISOString(),
    updated_at: division.updated_at.toISOString(),
  };
}
