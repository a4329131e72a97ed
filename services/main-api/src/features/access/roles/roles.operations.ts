import { created, listed, noContent, ok, pageOf, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { RoleRow } from '../../../stores/roles.entity.ts';
import type { RolesService } from './roles.service.ts';

export function rolesOperations(roles: RolesService) {
  return {
    async listRoles({ params, query, url }) {
      const page = pageOf(query);
      const [rows, total] = await roles.list(params, page);
      return listed(url, page, rows.map(roleView), total);
    },

    async createRole({ caller, params, body: input }) {
      const { role, permissions } = await roles.create(caller, params, input);
      const body = { ...roleView(role), permissions };
      return created('role', `/tenants/${params.tenant_id}/roles/${role.id}`, body);
    },

    async getRole({ caller, params }) {
      const { role, permissions } = await roles.get(caller, params);
      return ok({ ...roleView(role), permissions });
    },

    async updateRole({ caller, params, body }) {
      await roles.update(caller, params, body);
      return noContent();
    },

    async deleteRole({ caller, params }) {
      await roles.delete(caller, params);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

function roleView({ id, name, kind }: RoleRow): components['schemas']['Role'] {
  return { id, name, kind: kind === 'system' ? 'system' : 'custom' };
}
