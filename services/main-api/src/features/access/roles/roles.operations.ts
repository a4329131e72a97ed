import { created, done, ok, paged, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { RoleRow } from '../../../stores/roles.store.ts';
import type { RolesService } from './roles.service.ts';

export function rolesOperations(roles: RolesService) {
  return {
    listRoles: ({ params, query, url }) =>
      paged({ query, url }, (page) => roles.list(params, page), roleView),

    async createRole({ caller, params, body: input }) {
      const { role, permissions } = await roles.create(caller, params, input);
      const body = { ...roleView(role), permissions };
      return created('role', `/tenants/${params.tenant_id}/roles/${role.id}`, body);
    },

    async getRole({ caller, params }) {
      const { role, permissions } = await roles.get(caller, params);
      return ok({ ...roleView(role), permissions });
    },

    updateRole: ({ caller, params, body }) => done(roles.update(caller, params, body)),
    deleteRole: ({ caller, params }) => done(roles.delete(caller, params)),
  } satisfies Partial<Handlers<operations>>;
}

export const roleView = ({
  id,
  name,
  kind,
}: Pick<RoleRow, 'id' | 'name' | 'kind'>): components['schemas']['Role'] => ({
  id,
  name,
  kind: kind === 'system' ? 'system' : 'custom',
});
