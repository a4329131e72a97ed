import type { Ref, RoleId, TenantId, UserId, MembershipId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { In, Not, Raw } from 'typeorm';
import type { Database, Transaction } from './database.ts';
import type { GrantingRole, RoleRow } from './roles.store.ts';
import { changeRows, existing, firstOf, insertRow, pageOfRows } from './rows.ts';
import { bigint, boolean, id, table, time, type RowOf } from './columns.ts';

export const Membership = table('memberships', {
  id: id<MembershipId>(),
  tenant_id: bigint<TenantId>(),
  user_id: bigint<UserId>(),
  active: boolean({ default: true }),
  created_at: time({ createDate: true }),
});
export type MembershipRow = RowOf<typeof Membership>;

const MemberRole = table('member_roles', {
  membership_id: bigint<MembershipId>({ primary: true }),
  role_id: bigint<RoleId>({ primary: true }),
});

export interface Member {
  /** the user's, by which members are named */
  id: UserId;
  membership_id: MembershipId;
  email: string;
  name: string;
  active: boolean;
  roles: Pick<RoleRow, 'id' | 'kind' | 'name' | 'permissions'>[];
  created_at: Date;
}

/** A membership with what it takes to compile the grants of the member's sessions. */
export interface MembershipRights extends Pick<MembershipRow, 'tenant_id' | 'user_id' | 'active'> {
  owner: boolean;
  /** of the tenant */
  external_id: string;
  roles: GrantingRole[];
}

/** A membership in the export of an account. */
export type ExportedMembership = Pick<MembershipRow, 'tenant_id' | 'active' | 'created_at'> & {
  tenant_name: string;
  owner: boolean;
  roles: string[];
};

const shownMember = {
  as: 'm',
  columns: `u.id, m.id AS membership_id, u.email, u.name, m.active, m.created_at,
    (SELECT coalesce(jsonb_agg(to_jsonb(r) ORDER BY r.id), '[]')
     FROM member_roles mr JOIN roles r ON r.id = mr.role_id WHERE mr.membership_id = m.id) AS roles`,
  joins: 'JOIN users u ON u.id = m.user_id',
};
const member = `SELECT ${shownMember.columns} FROM memberships m ${shownMember.joins}`;

export const findMembers = (db: Database, tenantId: TenantId, ids: UserId[]) =>
  db.query<Member>(`${member} WHERE m.tenant_id = $1 AND m.user_id = ANY ($2)`, [tenantId, ids]);

export const getMember = (db: Database, tenantId: TenantId, id: UserId) =>
  existing(firstOf(findMembers(db, tenantId, [id])));

export const isMember = (db: Database, tenantId: TenantId, id: UserId) =>
  db.manager.existsBy(Membership, { tenant_id: tenantId, user_id: id });

/** Whether a member has this address: verified by a linked identity, or their account has none yet and is the address alone. */
export const isMemberByEmail = (db: Database, tenant_id: TenantId, email: string) => {
  const holders = `SELECT user_id FROM identities WHERE lower(email) = lower(:email)
     UNION ALL
     SELECT id FROM users u WHERE lower(email) = lower(:email) AND NOT EXISTS (SELECT FROM identities WHERE user_id = u.id)`;
  const user_id = Raw((column) => `${column} IN (${holders})`, { email });
  return db.manager.existsBy(Membership, { tenant_id, user_id });
};

export function listMembers(db: Database, tenantId: TenantId, roleId: RoleId | null, page: Page) {
  const all = 'memberships WHERE tenant_id = $1';
  if (roleId === null) return pageOfRows<Member>(db, page, all, [tenantId], shownMember);
  const holders = `${all} AND id IN (SELECT membership_id FROM member_roles WHERE role_id = $2)`;
  return pageOfRows<Member>(db, page, holders, [tenantId, roleId], shownMember);
}

export const countMembers = (db: Database, tenantId: TenantId) =>
  db.manager.countBy(Membership, { tenant_id: tenantId });

export const countMembershipsOf = (db: Database, userId: UserId) =>
  db.manager.countBy(Membership, { user_id: userId });

export async function listTenantIdsOf(db: Database, userId: UserId): Promise<TenantId[]> {
  const memberships = await db.manager.find(Membership, {
    where: { user_id: userId },
    order: { tenant_id: 'ASC' },
  });
  return memberships.map(({ tenant_id }) => tenant_id);
}

export const listMembershipRights = (db: Database, userIds: readonly UserId[], tenantId: TenantId | null) =>
  db.query<MembershipRights>(
    `SELECT m.tenant_id, m.user_id, m.active, t.owner_id = m.user_id AS owner, t.external_id,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', r.kind, 'name', r.name, 'permissions', r.permissions)), '[]')
        FROM member_roles mr JOIN roles r ON r.id = mr.role_id WHERE mr.membership_id = m.id) AS roles
     FROM memberships m JOIN tenants t ON t.id = m.tenant_id
     WHERE m.user_id = ANY ($1) AND ($2::bigint IS NULL OR m.tenant_id = $2)`,
    [userIds, tenantId],
  );

export const exportMemberships = (db: Database, userId: UserId) =>
  db.query<ExportedMembership>(
    `SELECT t.id AS tenant_id, t.name AS tenant_name, t.owner_id = m.user_id AS owner, m.active, m.created_at,
       (SELECT coalesce(jsonb_agg(r.name ORDER BY r.id), '[]')
        FROM member_roles mr JOIN roles r ON r.id = mr.role_id WHERE mr.membership_id = m.id) AS roles
     FROM memberships m JOIN tenants t ON t.id = m.tenant_id WHERE m.user_id = $1 ORDER BY m.id`,
    [userId],
  );

export async function insertMember(
  tx: Transaction,
  tenant_id: TenantId,
  user_id: UserId,
  roleIds: readonly RoleId[],
): Promise<void> {
  const { id: membership_id } = await insertRow(tx, Membership, { tenant_id, user_id });
  const rows = roleIds.map((role_id) => ({ membership_id, role_id }));
  if (rows.length > 0) await tx.manager.insert(MemberRole, rows);
}

export const setActive = (db: Database, id: MembershipId, active: boolean) =>
  db.manager.update(Membership, { id }, { active });

/** Makes all members of a tenant inactive, its owner too. @returns those who were active */
export async function deactivateMembers(db: Database, tenant_id: TenantId): Promise<UserId[]> {
  const deactivated = await changeRows(db, Membership, { tenant_id, active: true }, { active: false });
  return deactivated.map(({ user_id }) => user_id);
}

export async function setRoles(tx: Transaction, membership_id: MembershipId, roleIds: RoleId[]) {
  await tx.manager.delete(MemberRole, { membership_id, role_id: Not(In(roleIds)) });
  const rows = roleIds.map((role_id) => ({ membership_id, role_id }));
  if (rows.length === 0) return;
  await tx.manager.createQueryBuilder().insert().into(MemberRole).values(rows).orIgnore().execute();
}

export async function deleteMember(tx: Transaction, id: MembershipId): Promise<void> {
  await tx.manager.delete(MemberRole, { membership_id: id });
  await tx.manager.delete(Membership, { id });
}

export async function deleteMembersOf(tx: Transaction, tenant_id: TenantId): Promise<void> {
  const ofTenant = 'SELECT id FROM memberships WHERE tenant_id = :tenant_id';
  const membership_id = Raw((column) => `${column} IN (${ofTenant})`, { tenant_id });
  await tx.manager.delete(MemberRole, { membership_id });
  await tx.manager.delete(Membership, { tenant_id });
}

/** Gives a role to members and answers those who did not have it. */
export const assignRole = (db: Database, tenantId: TenantId, roleId: RoleId, userIds: UserId[]) =>
  db.query<Ref<UserId>>(
    `WITH assigned AS (
       INSERT INTO member_roles (membership_id, role_id)
       SELECT id, $2 FROM memberships WHERE tenant_id = $1 AND user_id = ANY ($3)
       ON CONFLICT DO NOTHING RETURNING membership_id)
     SELECT u.id, u.name FROM assigned JOIN memberships m ON m.id = membership_id JOIN users u ON u.id = m.user_id`,
    [tenantId, roleId, userIds],
  );

/** Takes a role from members, or with null from all who hold it, and answers those who had it. */
export const revokeRole = (db: Database, tenantId: TenantId, roleId: RoleId, userIds: UserId[] | null) =>
  db.query<Ref<UserId>>(
    `DELETE FROM member_roles mr USING memberships m JOIN users u ON u.id = m.user_id
     WHERE mr.membership_id = m.id AND mr.role_id = $2 AND m.tenant_id = $1
       AND ($3::bigint[] IS NULL OR m.user_id = ANY ($3))
     RETURNING u.id, u.name`,
    [tenantId, roleId, userIds],
  );

/** The users whose rights depend on one of these roles: they hold it, or have a key with it. */
export async function listUsersOfRoles(db: Database, roleIds: RoleId[]): Promise<UserId[]> {
  const users = await db.query<Pick<MembershipRow, 'user_id'>>(
    `SELECT m.user_id FROM member_roles mr JOIN memberships m ON m.id = mr.membership_id WHERE mr.role_id = ANY ($1)
     UNION SELECT user_id FROM api_keys WHERE role_id = ANY ($1)`,
    [roleIds],
  );
  return users.map(({ user_id }) => user_id);
}
