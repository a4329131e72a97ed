import type { RoleId, TenantId } from '@sluice/contracts';
import { problem, type Page } from '@sluice/service-kit';
import type { Core } from '../../core.ts';
import { compiledRole, describePermissions } from './role-permissions.ts';
import { findRole, listRoles } from './roles.store.ts';

export type RolesService = ReturnType<typeof rolesService>;

export function rolesService({ database }: Pick<Core, 'database'>) {
  return {
    list: (tenantId: TenantId, page: Page) => listRoles(database, tenantId, page),

    /** A role with what it grants, written out. */
    async get(tenantId: TenantId, id: RoleId) {
      const role = await findRole(database, tenantId, id);
      if (!role) throw problem('not_found');
      return { role, permissions: await describePermissions(database, tenantId, compiledRole(role)) };
    },
  };
}
