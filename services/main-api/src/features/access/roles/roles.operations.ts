import { created, listed, noContent, ok, pageOf, type Handlers } from '@sluice/service-kit';
import type { components, operations } from '../../../generated/api.ts';
import type { RoleRow } from '../../../stores/roles.entity.ts';
import type { RolesService } from './roles.service.ts';

export function roleOperations(roles: RolesService) {
  return {
    async listRoles({ params, query, url }) {
      const page = pageOf(query);
      const [rows, total] = await roles.list(params.tenant_id, page);
      return listed(url, page, rows.map(roleBody), total);
    },

    async createRole(call) {
      const { tenant_id } = call.params;
      const { role, permissions } = await roles.create(call.caller, tenant_id, call.body);
      const body = { ...roleBody(role), permissions };
      return created('role', `/tenants/${tenant_id}/roles/${role.id}`, body);
    },

    async getRole({ params }) {
      const { role, permissions } = await roles.get(params.tenant_id, params.role_id);
      return ok({ ...roleBody(role), permissions });
    },

    async updateRole(call) {
      await roles.update(call.caller, call.params.tenant_id, call.params.role_id, call.body);
      return noContent();
    },

    async deleteRole(call) {
      await roles.delete(call.caller, call.params.tenant_id, call.params.role_id);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

function roleBody({ id, name, kind }: RoleRow): components['schemas']['Role'] {
  return { id, name, kind: kind === 'system' ? 'system' : 'custom' };
}
