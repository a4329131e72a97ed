import type { UserId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf, Page, ParamsOf } from '@sluice/http';
import { changeOf } from '../../../changes.ts';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import {
  assignRole,
  findMembers,
  getMember,
  listMembers,
  revokeRole,
  setActive,
  setRoles,
  type Member,
} from '@sluice/main-store/members.store';
import type { operations } from '../../../generated/api.ts';
import { getRole } from '@sluice/main-store/roles.store';
import { type TenantPath, lockTenant, type TenantTerms } from '@sluice/main-store/tenants.store';
import { republishGrantsOf } from '@sluice/grant-publication/republish';
import {
  differingRoles,
  refuseOwnerAndSelf,
  requireKnown,
  requireRoles,
  requireRolesHeld,
} from '../../access/roles/granting.ts';
import { endMembership } from './membership.ts';

export type MembersService = ReturnType<typeof membersService>;

type MemberPath = ParamsOf<operations['updateMember']>;
type MemberChanges = BodyOf<operations['updateMember']>;
type RolePath = ParamsOf<operations['assignRole']>;
type RoleMembers = BodyOf<operations['assignRole']>;

/** The rules of members and of the roles that they hold (interface, 4.6). */
export function membersService({ database, work }: Core) {
  const changeRole =
    (event: 'role_assigned' | 'role_revoked', change: typeof assignRole) =>
    (caller: Caller, { tenant_id, role_id }: RolePath, { members: ids }: RoleMembers) =>
      work(caller, async (tx) => {
        const tenant = await lockTenant(tx, tenant_id);
        const role = await getRole(tx, tenant_id, role_id);
        requireRolesHeld(caller, [role]);
        await requireAllChangeable(tx, tenant, caller, ids);
        const changed = await change(tx, tenant_id, role_id, ids);
        await republishGrantsOf(
          tx,
          tenant_id,
          changed.map(({ id }) => id),
        );
        for (const user of changed)
          tx.emit(event, { tenant_id, user }, { role: { id: role_id, name: role.name } });
      });
  return {
    list: ({ tenant_id }: TenantPath, page: Page) => listMembers(database, tenant_id, null, page),

    async listOfRole({ tenant_id, role_id }: RolePath, page: Page) {
      await getRole(database, tenant_id, role_id);
      return await listMembers(database, tenant_id, role_id, page);
    },

    update: (caller: Caller, { tenant_id, member_id: id }: MemberPath, wanted: MemberChanges) =>
      work(caller, async (tx) => {
        const tenant = await lockTenant(tx, tenant_id);
        const member = await requireChangeable(tx, tenant, caller, id);
        const roles = wanted.roles ? await requireRoles(tx, tenant_id, wanted.roles) : member.roles;
        const active = wanted.active ?? member.active;
        const differing = differingRoles(member.roles, roles);
        const changesRoles = differing.length > 0;
        const changesActive = active !== member.active;
        if (!changesRoles && !changesActive) return;
        // who becomes inactive loses all of them, and who becomes active is given all of them
        requireRolesHeld(caller, changesActive ? [...member.roles, ...roles] : differing);
        const roleIds = roles.map((role) => role.id);
        if (changesRoles) await setRoles(tx, member.membership_id, roleIds);
        if (changesActive) await setActive(tx, member.membership_id, active);
        await republishGrantsOf(tx, tenant_id, [id]);
        const namesOf = (all: typeof roles) => all.map(({ name }) => name);
        const changes = {
          ...(changesActive && { active }),
          ...(changesRoles && { roles: namesOf(roles) }),
        };
        const former = { active: member.active, roles: namesOf(member.roles) };
        tx.emit('member_updated', { tenant_id, user: { id, name: member.name } }, changeOf(former, changes));
      }),

    delete: (caller: Caller, { tenant_id, member_id: id }: MemberPath) =>
      work(caller, async (tx) => {
        const tenant = await lockTenant(tx, tenant_id);
        const member = await requireChangeable(tx, tenant, caller, id);
        requireRolesHeld(caller, member.roles);
        await endMembership(tx, tenant_id, member);
        const { name, email } = member;
        tx.emit('member_removed', { tenant_id, user: { id, name } }, { email });
      }),

    assign: changeRole('role_assigned', assignRole),
    revoke: changeRole('role_revoked', revokeRole),
  };
}

/** @throws Problem `not_found`, `member_is_owner`, `member_is_self` */
async function requireChangeable(
  tx: Transaction,
  tenant: TenantTerms,
  caller: Caller,
  id: UserId,
): Promise<Member> {
  const member = await getMember(tx, tenant.id, id);
  refuseOwnerAndSelf(tenant, caller, [id]);
  return member;
}

/** @throws Problem `invalid_request` naming those who are no members; `member_is_owner`, `member_is_self` */
async function requireAllChangeable(
  tx: Transaction,
  tenant: TenantTerms,
  caller: Caller,
  ids: UserId[],
): Promise<void> {
  const members = await findMembers(tx, tenant.id, ids);
  requireKnown(ids, new Set(members.map(({ id }) => id)), '/body/members');
  refuseOwnerAndSelf(tenant, caller, ids);
}
