import { isDeepStrictEqual } from 'node:util';
import {
  compileRole,
  includes,
  intersect,
  writtenPermissions,
  type RoleId,
  type TenantId,
} from '@sluice/contracts';
import { changeOf } from '../../changes.ts';
import type { Transaction } from '@sluice/main-store/database';
import { endKeyBy, findKeyByName, listKeyIdsOfRole, listKeysById } from '@sluice/main-store/api-keys.store';
import { takeInvitationsBack } from '@sluice/main-store/invitations.store';
import {
  deactivateMembers,
  findMembers,
  listUsersOfRoles,
  revokeRole,
  setActive,
  type Member,
} from '@sluice/main-store/members.store';
import {
  insertDifferences,
  listOpenDifferences,
  setDetail,
  type NewDifference,
} from './restore-differences.store.ts';
import { type RoleRow, deleteRole, listAssignableRoles, updateRole } from '@sluice/main-store/roles.store';
import { deleteKeysAndGrants } from '../access/api-keys/key-deletion.ts';
import { compiledRole } from '@sluice/grant-publication/compiled-role';
import { grantToKeys } from '@sluice/grant-publication/key-grants';
import { republishGrantsOf } from '@sluice/grant-publication/republish';
import { endMembership } from '../organization/members/membership.ts';
import type { KeyClaim, MemberClaim, RoleClaim, TenantClaims } from './claims.ts';
import { keyMadeSchema } from './difference-details.ts';

/** What was taken away since the copy, as events say, and was written back to the tables. */
export type ClaimOutcome =
  | 'tenant_closed'
  | 'member_removed'
  | 'member_deactivated'
  | 'role_revoked'
  | 'role_reduced'
  | 'role_deleted'
  | 'key_deleted'
  | 'key_limited'
  | 'invitation_taken_back';

/** A tenant, locked, with its roles by the names that they have in the tables. */
interface Place {
  tx: Transaction;
  tenantId: TenantId;
  roles: Map<string, RoleRow>;
  now: Date;
}

/**
 * Compares a locked tenant with what events say of it: what they take away is written to the tables, what they give is listed. Repeating
 * it changes nothing.
 * @returns what was taken away, one entry for each
 */
export async function applyClaims(
  tx: Transaction,
  tenantId: TenantId,
  claims: TenantClaims,
  now: Date,
): Promise<ClaimOutcome[]> {
  const rows = await listAssignableRoles(tx, tenantId);
  const place = { tx, tenantId, now, roles: new Map(rows.map((row) => [row.name.toLowerCase(), row])) };
  const outcomes: ClaimOutcome[] = [];
  const members = await findMembers(tx, tenantId, [...claims.members.keys()]);
  for (const claim of claims.members.values()) {
    const member = members.find(({ id }) => id === claim.user.id);
    outcomes.push(...(await compareMember(place, claim, member)));
  }
  for (const role of claims.roles) outcomes.push(...(await compareRole(place, role)));
  for (const key of claims.keys.values()) outcomes.push(...(await compareKey(place, key)));
  for (const [email, at] of claims.closedInvitations)
    if ((await takeInvitationsBack(tx, tenantId, email, at)) > 0) outcomes.push('invitation_taken_back');
  if (claims.deleted !== null) outcomes.push(...(await closeTenant(place, claims.deleted)));
  return outcomes;
}

const rowOf = ({ roles }: Place, role: RoleClaim): RoleRow | undefined =>
  role.isMade ? undefined : roles.get(role.name.toLowerCase());

async function compareMember(place: Place, claim: MemberClaim, member: Member | undefined) {
  const { tx, tenantId } = place;
  const { user } = claim;
  const about = { tenant_id: tenantId, user };
  if (!member) {
    // who was no member in the copy is none by any other event either
    if (claim.isMember) await listAddedMember(place, claim);
    return [];
  }
  if (claim.isMember === false) {
    await endMembership(tx, tenantId, member);
    tx.emit('member_removed', about, { email: member.email });
    return ['member_removed'] as const;
  }
  const outcomes: ClaimOutcome[] = [];
  if (
    claim.hasEnded === true &&
    (await deleteKeysAndGrants(tx, { tenant_id: tenantId, user_id: member.id })) > 0
  )
    outcomes.push('key_deleted');
  const wanted = wantedRoles(place, claim, member);
  const revoked = member.roles.filter(({ id }) => !wanted.ids.has(id));
  for (const role of revoked) {
    await revokeRole(tx, tenantId, role.id, [member.id]);
    tx.emit('role_revoked', about, { role: { id: role.id, name: role.name } });
    outcomes.push('role_revoked');
  }
  if (claim.isActive === false && member.active) {
    await setActive(tx, member.membership_id, false);
    tx.emit('member_updated', about, changeOf({ active: true }, { active: false }));
    outcomes.push('member_deactivated');
  }
  if (outcomes.length > 0) await republishGrantsOf(tx, tenantId, [member.id]);
  await listEnlargedMember(place, claim, member, wanted);
  return outcomes;
}

/** The roles that a member has by the events, and the names of those that the tables do not have. */
function wantedRoles(place: Place, { base, changes }: MemberClaim, member?: Member) {
  const ids = new Set<RoleId>(base === null ? member?.roles.map(({ id }) => id) : []);
  const missing = new Set<string>();
  const give = (role: RoleClaim) => {
    const row = rowOf(place, role);
    if (row) ids.add(row.id);
    else if (!role.isDeleted) missing.add(role.name);
  };
  for (const role of base ?? []) give(role);
  for (const [role, isGiven] of changes) {
    const row = rowOf(place, role);
    if (isGiven) give(role);
    else if (row) ids.delete(row.id);
    else missing.delete(role.name);
  }
  return { ids, missing: [...missing] };
}

async function listAddedMember(place: Place, claim: MemberClaim): Promise<void> {
  const { ids, missing } = wantedRoles(place, claim);
  await list(place, {
    kind: 'member_added',
    subject: `tenant ${place.tenantId} user ${claim.user.id}`,
    about: `member with the roles ${namesOf(place, ids, missing)}`,
    person: personOf(claim),
    evidence: claim.evidence,
    detail: { user_id: claim.user.id, role_ids: [...ids], missing, active: claim.isActive !== false },
  });
}

async function listEnlargedMember(
  place: Place,
  claim: MemberClaim,
  member: Member,
  { ids, missing }: ReturnType<typeof wantedRoles>,
): Promise<void> {
  const given = [...ids].filter((id) => !member.roles.some((role) => role.id === id));
  const becomesActive = claim.isActive === true && !member.active;
  if (given.length === 0 && missing.length === 0 && !becomesActive) return;
  const parts = [
    ...(given.length + missing.length > 0
      ? [`gets the roles ${namesOf(place, new Set(given), missing)}`]
      : []),
    ...(becomesActive ? ['becomes active'] : []),
  ];
  await list(place, {
    kind: 'member_enlarged',
    subject: `tenant ${place.tenantId} user ${claim.user.id}`,
    about: `member ${parts.join(' and ')}`,
    person: personOf({ ...claim, email: member.email }),
    evidence: claim.evidence,
    detail: { user_id: claim.user.id, role_ids: given, missing, active: becomesActive },
  });
}

const personOf = ({ user, email }: Pick<MemberClaim, 'user' | 'email'>) =>
  `${user.name}${email === null ? '' : ` <${email}>`} (user ${user.id})`;

function namesOf({ roles }: Place, ids: ReadonlySet<RoleId>, missing: readonly string[]): string {
  const known = [...roles.values()].filter(({ id }) => ids.has(id)).map(({ name }) => name);
  return [...known, ...missing.map((name) => `${name} (not in the copy)`)].join(', ') || 'none';
}

async function compareRole(place: Place, claim: RoleClaim): Promise<ClaimOutcome[]> {
  const row = rowOf(place, claim);
  if (claim.isMade && !claim.isDeleted) await listMadeRole(place, claim);
  if (row?.kind !== 'custom') return [];
  if (claim.isDeleted) return await deleteClaimedRole(place, row);
  if (!claim.permissions) return [];
  return await reduceRole(place, row, claim, claim.permissions);
}

async function listMadeRole(place: Place, { name, permissions, evidence }: RoleClaim): Promise<void> {
  await list(place, {
    kind: 'role_made',
    subject: `tenant ${place.tenantId} role ${name.toLowerCase()}`,
    about: `role '${name}'`,
    evidence,
    detail: { name, permissions },
  });
}

/** A role that keys have is not deleted, so its keys were deleted before it. */
async function deleteClaimedRole({ tx, tenantId }: Place, { id, name }: RoleRow): Promise<ClaimOutcome[]> {
  const outcomes: ClaimOutcome[] = [];
  for (const key of await listKeyIdsOfRole(tx, id)) {
    await deleteKeysAndGrants(tx, { tenant_id: tenantId, id: key });
    outcomes.push('key_deleted');
  }
  const holders = await revokeRole(tx, tenantId, id, null);
  await deleteRole(tx, id);
  await republishGrantsOf(
    tx,
    tenantId,
    holders.map((user) => user.id),
  );
  for (const user of holders) tx.emit('role_revoked', { tenant_id: tenantId, user }, { role: { id, name } });
  tx.emit('role_deleted', { tenant_id: tenantId }, { name });
  return [...outcomes, 'role_deleted'];
}

/** What the role has now and had at the end of the events stays; what it had at their end alone is listed. */
async function reduceRole(
  place: Place,
  row: RoleRow,
  claim: RoleClaim,
  permissions: NonNullable<RoleClaim['permissions']>,
): Promise<ClaimOutcome[]> {
  const { tx, tenantId } = place;
  const [before, since] = [compiledRole(row), compileRole(permissions)];
  const isReduced = !includes(since, before);
  const isEnlarged = !includes(before, since);
  let kept: object | null = row.permissions;
  if (isReduced) {
    kept = isEnlarged ? writtenPermissions(intersect(before, since)) : permissions;
    await updateRole(tx, row.id, { permissions: kept });
    await republishGrantsOf(tx, tenantId, await listUsersOfRoles(tx, [row.id]));
    const change = changeOf({ permissions: row.permissions }, { permissions: kept });
    tx.emit('role_updated', { tenant_id: tenantId }, { name: row.name, ...change });
  }
  if (isEnlarged)
    await list(place, {
      kind: 'role_enlarged',
      subject: `role ${row.id}`,
      about: `role '${row.name}' (${row.id}) grants more`,
      evidence: claim.evidence,
      detail: { role_id: row.id, permissions, seen: kept },
    });
  return isReduced ? ['role_reduced'] : [];
}

async function compareKey(place: Place, claim: KeyClaim): Promise<ClaimOutcome[]> {
  const { tx, tenantId, now } = place;
  if (claim.isMade) await listMadeKey(place, claim);
  const key = await findKeyByName(tx, tenantId, claim.divisionId, claim.name);
  const { closedAt, formerEndsAt: end } = claim;
  if (!key || !closedAt || !end || key.created_at > closedAt || end >= key.expiry_at) return [];
  if (end <= now) {
    await deleteKeysAndGrants(tx, { tenant_id: tenantId, id: key.id });
    return ['key_deleted'];
  }
  await endKeyBy(tx, key.id, end);
  await grantToKeys(tx, await listKeysById(tx, [key.id]));
  return ['key_limited'];
}

/** The bucket has the key without its role, or has been lost. */
async function listMadeKey(place: Place, { name, divisionId, roleId, evidence }: KeyClaim): Promise<void> {
  const { tx, tenantId } = place;
  const open = await listOpenDifferences(tx, 'key_made', tenantId);
  const found = open.filter(({ detail }) => {
    const { grant } = keyMadeSchema.parse(detail);
    return grant?.division_id === divisionId && grant.api_key?.name.toLowerCase() === name.toLowerCase();
  });
  for (const { id, detail } of found)
    await setDetail(tx, id, { ...keyMadeSchema.parse(detail), role_id: roleId });
  if (found.length > 0) return;
  await list(place, {
    kind: 'key_made',
    subject: `tenant ${tenantId} division ${divisionId ?? 'none'} key ${name.toLowerCase()}`,
    about: `key '${name}', whose token is not known`,
    evidence,
    detail: { grant: null, role_id: roleId },
  });
}

/** A deleted tenant stays without rights until an operator has decided whether it is deleted again. */
async function closeTenant(place: Place, evidence: string): Promise<ClaimOutcome[]> {
  const { tx, tenantId } = place;
  const deactivated = await deactivateMembers(tx, tenantId);
  if (deactivated.length === 0) return [];
  await republishGrantsOf(tx, tenantId, deactivated);
  await list(place, {
    kind: 'tenant_deleted',
    subject: `tenant ${tenantId}`,
    about: `the tenant was deleted; its ${deactivated.length} members are inactive`,
    evidence,
    detail: { deactivated },
  });
  return ['tenant_closed'];
}

type Listed = Omit<NewDifference, 'tenant_id' | 'person'> & Partial<Pick<NewDifference, 'person'>>;
const list = ({ tx, tenantId }: Place, difference: Listed) =>
  insertDifferences(tx, [{ person: null, ...difference, tenant_id: tenantId }]);

/** Whether a role still is as the review has left it. */
export const isAsSeen = (role: Pick<RoleRow, 'permissions'>, seen: unknown) =>
  isDeepStrictEqual(role.permissions, seen);
