import {
  mayGiveOrTake,
  unite,
  type CompiledPermissions,
  type RoleId,
  type TenantId,
  type UserId,
} from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { problem } from '@sluice/service';
import type { Database } from '@sluice/main-store/database';
import { type GrantingRole, type RoleRow, findRoles, getRole } from '@sluice/main-store/roles.store';
import type { TenantTerms } from '@sluice/main-store/tenants.store';
import { compiledRole } from '@sluice/grant-publication/compiled-role';

/**
 * A caller gives and takes away only what they hold. What is taken has to be read under the lock of the tenant, as all changes of
 * rights take it. @throws Problem `privilege_escalation`
 */
export function requireHeld(caller: Caller, changed: CompiledPermissions): void {
  if (!mayGiveOrTake(caller, changed)) throw problem('privilege_escalation');
}

/** The same for roles. @throws Problem `privilege_escalation` */
export function requireRolesHeld(caller: Caller, roles: readonly GrantingRole[]): void {
  requireHeld(caller, unite(roles.map(compiledRole)));
}

/**
 * The roles that a body names in its field `roles`, each once.
 * @throws Problem `invalid_request` naming each that the tenant does not have
 */
export async function requireRoles(db: Database, tenantId: TenantId, ids: RoleId[]): Promise<RoleRow[]> {
  const roles = await findRoles(db, tenantId, ids);
  const existing = new Set(roles.map(({ id }) => id));
  requireKnown(ids, existing, '/body/roles');
  return roles;
}

/** A role that can be changed. @throws Problem `not_found`, `system_role` */
export async function getCustomRole(db: Database, tenantId: TenantId, id: RoleId): Promise<RoleRow> {
  const role = await getRole(db, tenantId, id);
  if (role.kind === 'system') throw problem('system_role');
  return role;
}

/** The roles that are in one of both lists alone. */
export function differingRoles<Role extends Pick<RoleRow, 'id'>>(
  former: readonly Role[],
  wanted: readonly Role[],
): Role[] {
  const without = (roles: readonly Role[], others: readonly Role[]) =>
    roles.filter(({ id }) => !others.some((other) => other.id === id));
  return [...without(former, wanted), ...without(wanted, former)];
}

/** @throws Problem `invalid_request` naming the place of each id that is not among the existing */
export function requireKnown(ids: readonly number[], existing: ReadonlySet<number>, path: string): void {
  const fieldIssues = ids.flatMap((id, position) =>
    existing.has(id) ? [] : [{ path: `${path}/${position}`, code: 'unknown', message: 'does not exist' }],
  );
  if (fieldIssues.length > 0) throw problem('invalid_request', { fieldIssues });
}

/** The owner has their roles without being given any, and callers change none of their own. @throws Problem `member_is_owner`, `member_is_self` */
export function refuseOwnerAndSelf(
  { owner_id }: Pick<TenantTerms, 'owner_id'>,
  caller: Caller,
  ids: UserId[],
): void {
  if (ids.includes(owner_id)) throw problem('member_is_owner');
  if (ids.includes(caller.user.id)) throw problem('member_is_self');
}
