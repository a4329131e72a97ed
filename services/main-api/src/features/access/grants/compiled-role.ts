import {
  compileRole,
  rolePermissionsSchema,
  systemRoleNames,
  systemRoles,
  type CompiledPermissions,
} from '@sluice/contracts';
import { z } from 'zod';
import type { GrantingRole } from '../../../stores/roles.store.ts';

const systemRoleName = z.enum(systemRoleNames);

export function compiledRole(role: GrantingRole): CompiledPermissions {
  if (role.kind === 'system') return compileRole(systemRoles[systemRoleName.parse(role.name)]);
  return compileRole(rolePermissionsSchema.parse(role.permissions));
}
