import { isDeepStrictEqual } from 'node:util';
import { compileRole, type RolePermissions } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf, Page, ParamsOf } from '@sluice/http';
import { problem } from '@sluice/service';
import { featuresOf, requireRoom } from '@sluice/catalogue/features';
import { changeOf, changesTo } from '../../../changes.ts';
import type { Core } from '../../../core.ts';
import type { Database } from '@sluice/main-store/database';
import type { operations } from '../../../generated/api.ts';
import { keysHaveRole } from '@sluice/main-store/api-keys.store';
import { listUsersOfRoles, revokeRole } from '@sluice/main-store/members.store';
import {
  type RoleRow,
  countCustomRoles,
  deleteRole,
  getRole,
  insertRole,
  listRoles,
  updateRole,
} from '@sluice/main-store/roles.store';
import { type TenantPath, lockTenant } from '@sluice/main-store/tenants.store';
import { compiledRole } from '@sluice/grant-publication/compiled-role';
import { republishGrantsOf } from '@sluice/grant-publication/republish';
import { getCustomRole, requireHeld, requireRolesHeld } from './granting.ts';
import { describePermissions, describeSystemRole } from './permissions-detail.ts';
import { checkedPermissions } from './role-permissions.ts';

/** A role with what it grants, written out. */
export interface RoleDetail {
  role: RoleRow;
  permissions: Awaited<ReturnType<typeof describePermissions>>;
}

export type RolesService = ReturnType<typeof rolesService>;

type RolePath = ParamsOf<operations['getRole']>;
type RoleInput = BodyOf<operations['createRole']>;
type RoleChanges = BodyOf<operations['updateRole']>;

/** The rules of roles (interface, 2.8, 4.6 and 5.5). */
export function rolesService(core: Core) {
  const { database, work, catalogue } = core;

  const detailOf = async (db: Database, caller: Caller, role: RoleRow): Promise<RoleDetail> => {
    const describe = role.kind === 'system' ? describeSystemRole : describePermissions;
    return { role, permissions: await describe(db, role.tenant_id, compiledRole(role), caller) };
  };

  return {
    list: ({ tenant_id }: TenantPath, page: Page) => listRoles(database, tenant_id, page),

    /** A role with what it grants, written out. */
    get: async (caller: Caller, { tenant_id, role_id }: RolePath) =>
      detailOf(database, caller, await getRole(database, tenant_id, role_id)),

    async create(caller: Caller, { tenant_id }: TenantPath, { name, permissions }: RoleInput) {
      const role = await work(caller, async (tx) => {
        const tenant = await lockTenant(tx, tenant_id);
        const features = featuresOf(catalogue, tenant);
        const granted = await checkedPermissions(tx, tenant_id, features, permissions, '/body/permissions');
        requireHeld(caller, compileRole(granted));
        requireRoom(features, 'roles_limit', await countCustomRoles(tx, tenant_id));
        const created = await insertRole(tx, { tenant_id, name, permissions: granted });
        tx.emit('role_created', { tenant_id }, { name });
        return created;
      });
      return await detailOf(database, caller, role);
    },

    /** The caller has to hold all that the role grants, before and afterwards. @param check is given it as it is */
    update: (
      caller: Caller,
      { tenant_id, role_id: id }: RolePath,
      wanted: RoleChanges,
      check: (detail: RoleDetail) => void,
    ) =>
      work(caller, async (tx) => {
        const tenant = await lockTenant(tx, tenant_id);
        const role = await getCustomRole(tx, tenant_id, id);
        check(await detailOf(tx, caller, role));
        const features = featuresOf(catalogue, tenant);
        const permissions: RolePermissions | undefined = wanted.permissions
          ? await checkedPermissions(tx, tenant_id, features, wanted.permissions, '/body/permissions')
          : undefined;
        const changes = {
          ...changesTo({ name: role.name }, { name: wanted.name ?? null }),
          ...(permissions && !isDeepStrictEqual(permissions, role.permissions) && { permissions }),
        };
        if (Object.keys(changes).length === 0) return;
        requireRolesHeld(caller, [role, { ...role, ...changes }]);
        await updateRole(tx, id, changes);
        if (changes.permissions) await republishGrantsOf(tx, tenant_id, await listUsersOfRoles(tx, [id]));
        tx.emit(
          'role_updated',
          { tenant_id },
          { name: changes.name ?? role.name, ...changeOf(role, changes) },
        );
      }),

    /** Members and pending invitations lose the role; the caller has to hold what it grants. */
    delete: (caller: Caller, { tenant_id, role_id: id }: RolePath) =>
      work(caller, async (tx) => {
        await lockTenant(tx, tenant_id);
        const role = await getCustomRole(tx, tenant_id, id);
        const { name } = role;
        requireRolesHeld(caller, [role]);
        if (await keysHaveRole(tx, id)) throw problem('role_in_use');
        const holders = await revokeRole(tx, tenant_id, id, null);
        await deleteRole(tx, id);
        await republishGrantsOf(
          tx,
          tenant_id,
          holders.map((user) => user.id),
        );
        for (const user of holders) tx.emit('role_revoked', { tenant_id, user }, { role: { id, name } });
        tx.emit('role_deleted', { tenant_id }, { name });
      }),
  };
}
