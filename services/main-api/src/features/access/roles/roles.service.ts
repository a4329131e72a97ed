import { isDeepStrictEqual } from 'node:util';
import { compileRole, type RoleId, type RolePermissions, type TenantId } from '@sluice/contracts';
import { problem, type Page, type Caller } from '@sluice/service-kit';
import { featuresOf, requireRoom } from '../../../catalogue/features.ts';
import { changesTo } from '../../../changes.ts';
import type { Core } from '../../../core.ts';
import type { Database } from '../../../database.ts';
import { keysHaveRole } from '../../../stores/api-keys.store.ts';
import { listUsersOfRoles, revokeRole } from '../../../stores/members.store.ts';
import type { RoleRow } from '../../../stores/roles.entity.ts';
import {
  countCustomRoles,
  deleteRole,
  getRole,
  insertRole,
  listRoles,
  updateRole,
} from '../../../stores/roles.store.ts';
import { lockTenant } from '../../../stores/tenants.store.ts';
import { compiledRole } from '../grants/compiled-role.ts';
import { republishGrantsOf } from '../grants/republish.ts';
import { requireMayGrant } from './granting.ts';
import {
  checkedPermissions,
  describePermissions,
  describeSystemRole,
  type PermissionsInput,
} from './role-permissions.ts';

export type RolesService = ReturnType<typeof rolesService>;

export interface RoleInput {
  name: string;
  permissions: PermissionsInput;
}
export interface RoleChanges {
  name?: string | null;
  permissions?: PermissionsInput | null;
}

/** The rules of roles (interface, 2.8, 4.6 and 5.5, and their completions). */
export function rolesService(core: Core) {
  const { database, work, catalogue } = core;

  const detailOf = async (role: RoleRow) => {
    const describe = role.kind === 'system' ? describeSystemRole : describePermissions;
    return { role, permissions: await describe(database, role.tenant_id, compiledRole(role)) };
  };

  return {
    list: (tenantId: TenantId, page: Page) => listRoles(database, tenantId, page),

    /** A role with what it grants, written out. @throws Problem `not_found` */
    get: async (tenantId: TenantId, id: RoleId) => detailOf(await getRole(database, tenantId, id)),

    /** @throws Problem `invalid_request`, `privilege_escalation`, `limit_reached`, `name_taken` */
    async create(caller: Caller, tenantId: TenantId, { name, permissions }: RoleInput) {
      const role = await work(caller, async (tx) => {
        const tenant = await lockTenant(tx, tenantId);
        const features = featuresOf(catalogue, tenant.plan, tenant.feature_overrides);
        const granted = await checkedPermissions(tx, tenantId, features, permissions, '/body/permissions');
        requireMayGrant(caller, compileRole(granted));
        requireRoom('roles_limit', features.roles_limit, await countCustomRoles(tx, tenantId));
        const created = await insertRole(tx, { tenant_id: tenantId, name, permissions: granted });
        tx.emit('role_created', { tenant_id: tenantId }, { name });
        return created;
      });
      return await detailOf(role);
    },

    /**
     * The caller has to hold all that the role grants afterwards.
     * @throws Problem `not_found`, `system_role`, `invalid_request`, `privilege_escalation`, `limit_reached`, `name_taken`
     */
    update: (caller: Caller, tenantId: TenantId, id: RoleId, wanted: RoleChanges) =>
      work(caller, async (tx) => {
        const tenant = await lockTenant(tx, tenantId);
        const role = await requireCustomRole(tx, tenantId, id);
        const features = featuresOf(catalogue, tenant.plan, tenant.feature_overrides);
        const permissions: RolePermissions | undefined = wanted.permissions
          ? await checkedPermissions(tx, tenantId, features, wanted.permissions, '/body/permissions')
          : undefined;
        requireMayGrant(caller, permissions ? compileRole(permissions) : compiledRole(role));
        const changes = {
          ...changesTo({ name: role.name }, { name: wanted.name ?? null }),
          ...(permissions && !isDeepStrictEqual(permissions, role.permissions) && { permissions }),
        };
        if (Object.keys(changes).length === 0) return;
        await updateRole(tx, id, changes);
        if (changes.permissions) await republishGrantsOf(tx, tenantId, await listUsersOfRoles(tx, [id]));
        tx.emit('role_updated', { tenant_id: tenantId }, { name: changes.name ?? role.name, changes });
      }),

    /**
     * Members and pending invitations lose the role.
     * @throws Problem `not_found`, `system_role`, `role_in_use`
     */
    delete: (caller: Caller, tenantId: TenantId, id: RoleId) =>
      work(caller, async (tx) => {
        await lockTenant(tx, tenantId);
        const { name } = await requireCustomRole(tx, tenantId, id);
        if (await keysHaveRole(tx, id)) throw problem('role_in_use');
        const holders = await revokeRole(tx, tenantId, id, null);
        await deleteRole(tx, id);
        await republishGrantsOf(
          tx,
          tenantId,
          holders.map((user) => user.id),
        );
        for (const user of holders)
          tx.emit('role_revoked', { tenant_id: tenantId, user }, { role: { id, name } });
        tx.emit('role_deleted', { tenant_id: tenantId }, { name });
      }),
  };
}

/** @throws Problem `not_found`, `system_role` */
async function requireCustomRole(db: Database, tenantId: TenantId, id: RoleId): Promise<RoleRow> {
  const role = await getRole(db, tenantId, id);
  if (role.kind === 'system') throw problem('system_role');
  return role;
}
