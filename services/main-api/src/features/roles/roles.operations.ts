import { listed, ok, pageOf, type Handlers } from '@sluice/service-kit';
import type { components, operations } from '../../generated/api.ts';
import type { RoleRow } from './roles.entity.ts';
import type { RolesService } from './roles.service.ts';

export function roleOperations(roles: RolesService): Handlers<operations, 'listRoles' | 'getRole'> {
  return {
    async listRoles({ params, query, url }) {
      const page = pageOf(query);
      const [rows, total] = await roles.list(params.tenant_id, page);
      return listed(url, page, rows.map(roleBody), total);
    },

    async getRole({ params }) {
      const { role, permissions } = await roles.get(params.tenant_id, params.role_id);
      return ok({ ...roleBody(role), permissions });
    },
  };
}

function roleBody({ id, name, kind }: RoleRow): components['schemas']['Role'] {
  return { id, name, kind: kind === 'system' ? 'system' : 'custom' };
}
