import {
  allows,
  compileRole,
  noPermissions,
  subtract,
  unite,
  type CompiledPermissions,
  type TenantId,
  type UserId,
} from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf, ParamsOf } from '@sluice/http';
import { problem, type Problem } from '@sluice/service';
import { featuresOf } from '@sluice/catalogue/features';
import type { Core } from '../../../core.ts';
import type { operations } from '../../../generated/api.ts';
import { findMembers, getMember, type Member } from '@sluice/main-store/members.store';
import { type TenantPath, getTerms, type TenantTerms } from '@sluice/main-store/tenants.store';
import { compiledRole, writtenRole } from '@sluice/grant-publication/compiled-role';
import {
  differingRoles,
  getCustomRole,
  refuseOwnerAndSelf,
  requireHeld,
  requireRoles,
  requireRolesHeld,
} from './granting.ts';
import { differingParts, statedParts, withPlaces } from './permission-places.ts';
import { describePermissions } from './permissions-detail.ts';
import { checkedPermissions } from './role-permissions.ts';

export type EffectivePermissionsService = ReturnType<typeof effectivePermissionsService>;

type MemberPath = ParamsOf<operations['getMemberPermissions']>;
type Simulation = BodyOf<operations['simulateRoles']>;

/** What is held before a change and after it, and by whom. */
interface Change {
  member: Member | null;
  before: CompiledPermissions;
  after: CompiledPermissions;
}

/** What members may do and why, and what a change of roles would come to (interface, 4.6 and 5.1). */
export function effectivePermissionsService({ database, catalogue }: Pick<Core, 'database' | 'catalogue'>) {
  /** A member with exactly these roles. */
  async function rolesOfMember(
    caller: Caller,
    tenant: TenantTerms,
    member: Member,
    roleIds: NonNullable<Simulation['roles']>,
  ): Promise<Change> {
    const roles = await requireRoles(database, tenant.id, roleIds);
    refuseOwnerAndSelf(tenant, caller, [member.id]);
    requireRolesHeld(caller, differingRoles(member.roles, roles));
    return { member, before: permissionsOf(member), after: unite(roles.map(compiledRole)) };
  }

  /** A role that is new or changed, by itself or beside the other roles of a member. */
  async function roleDocument(
    caller: Caller,
    tenant: TenantTerms,
    member: Member | null,
    { role: id, permissions }: Simulation,
  ): Promise<Change> {
    const role = id === undefined || id === null ? null : await getCustomRole(database, tenant.id, id);
    const features = featuresOf(catalogue, tenant);
    const given = await checkedPermissions(
      database,
      tenant.id,
      features,
      permissions ?? {},
      '/body/permissions',
    );
    const tried = compileRole(given);
    requireHeld(caller, role ? unite([compiledRole(role), tried]) : tried);
    if (!member) return { member, before: role ? compiledRole(role) : noPermissions, after: tried };
    const others = member.roles.filter((other) => other.id !== role?.id).map(compiledRole);
    return { member, before: permissionsOf(member), after: unite([...others, tried]) };
  }

  /** The member whom the body names. */
  async function memberOf(caller: Caller, tenantId: TenantId, id: UserId): Promise<Member> {
    requireReads(caller, 'member:read');
    const [member] = await findMembers(database, tenantId, [id]);
    if (!member) throw refused('/body/member', 'unknown', 'does not exist');
    return member;
  }

  const partsOf = async (caller: Caller, tenantId: TenantId, permissions: CompiledPermissions) =>
    await withPlaces(database, tenantId, caller, differingParts(permissions));

  return {
    /** What a member may do, and which part of which role grants it. */
    async ofMember(caller: Caller, { tenant_id, member_id }: MemberPath) {
      requireReads(caller, 'role:read');
      const { owner_id } = await getTerms(database, tenant_id);
      const member = await getMember(database, tenant_id, member_id);
      const parts = member.roles.flatMap((role) =>
        statedParts(writtenRole(role), compiledRole(role)).map((part) => ({ role, ...part })),
      );
      return {
        member,
        owner: member.id === owner_id,
        permissions: await describePermissions(database, tenant_id, permissionsOf(member), caller),
        grants: await withPlaces(database, tenant_id, caller, parts),
      };
    },

    /** What a change of a role, or of the roles of a member, would come to; refused as the change would be. */
    async simulate(caller: Caller, { tenant_id }: TenantPath, input: Simulation) {
      checkCombination(input);
      const tenant = await getTerms(database, tenant_id);
      const member = input.member ? await memberOf(caller, tenant_id, input.member) : null;
      const { before, after } =
        member && input.roles
          ? await rolesOfMember(caller, tenant, member, input.roles)
          : await roleDocument(caller, tenant, member, input);
      const describe = (permissions: CompiledPermissions) =>
        describePermissions(database, tenant_id, permissions, caller);
      return {
        member,
        before: await describe(before),
        after: await describe(after),
        gained: await partsOf(caller, tenant_id, subtract(after, before)),
        lost: await partsOf(caller, tenant_id, subtract(before, after)),
      };
    },
  };
}

const permissionsOf = ({ roles }: Member) => unite(roles.map(compiledRole));

/** @throws Problem `forbidden` */
function requireReads(caller: Caller, permission: 'member:read' | 'role:read'): void {
  if (!allows(caller.permissions, 'tenant', permission))
    throw problem('forbidden', { detail: `It needs ${permission} besides.` });
}

/** @throws Problem `invalid_request` unless the body says of one change what it is */
function checkCombination({ member, roles, role, permissions }: Simulation): void {
  if (roles && permissions) throw refused('/body/roles', 'not_allowed', 'goes without `permissions`');
  if (roles && role) throw refused('/body/role', 'not_allowed', 'goes with `permissions`');
  if (roles && !member) throw refused('/body/member', 'required', 'is needed with `roles`');
  if (!roles && !permissions)
    throw refused('/body/permissions', 'required', 'is needed unless there are `roles` of a `member`');
}

const refused = (path: string, code: string, message: string): Problem =>
  problem('invalid_request', { fieldIssues: [{ path, code, message }] });
