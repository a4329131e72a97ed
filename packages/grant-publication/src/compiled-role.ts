import {
  compileRole,
  rolePermissionsSchema,
  systemRoleNames,
  systemRoles,
  type CompiledPermissions,
  type RolePermissions,
} from '@sluice/contracts';
import { z } from 'zod';
import type { GrantingRole } from '@sluice/main-store/roles.store';

const systemRoleName = z.enum(systemRoleNames);

/** The permissions object of a role, as it was given. */
export function writtenRole(role: GrantingRole): RolePermissions {
  const isSystem = role.kind === 'system';
  return rolePermissionsSchema.parse(
    isSystem ? systemRoles[systemRoleName.parse(role.name)] : role.permissions,
  );
}

export const compiledRole = (role: GrantingRole): CompiledPermissions => compileRole(writtenRole(role));
