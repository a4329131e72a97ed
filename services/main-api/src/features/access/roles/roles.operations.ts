import { created, done, ok, paged, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { RoleRow } from '@sluice/main-store/roles.store';
import type { RoleDetail, RolesService } from './roles.service.ts';

export function rolesOperations(roles: RolesService) {
  return {
    listRoles: ({ params, query, url }) =>
      paged({ query, url }, (page) => roles.list(params, page), roleView),

    async createRole({ caller, params, body: input }) {
      const detail = await roles.create(caller, params, input);
      return created('role', `/tenants/${params.tenant_id}/roles/${detail.role.id}`, detailView(detail));
    },

    getRole: async ({ caller, params }) => ok(detailView(await roles.get(caller, params))),

    updateRole: ({ caller, params, body, ifMatch }) =>
      done(roles.update(caller, params, body, (detail) => ifMatch(() => detailView(detail)))),
    deleteRole: ({ caller, params }) => done(roles.delete(caller, params)),
  } satisfies Partial<Handlers<operations>>;
}

const detailView = ({ role, permissions }: RoleDetail) => ({ ...roleView(role), permissions });

export const roleView = ({
  id,
  name,
  kind,
}: Pick<RoleRow, 'id' | 'name' | 'kind'>): components['schemas']['Role'] => ({
  id,
  name,
  kind: kind === 'system' ? 'system' : 'custom',
});
