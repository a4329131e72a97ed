import type { Ref, RoleId, TenantId, UserId, MembershipId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { problem } from '@sluice/service';
import type { Database } from '../database.ts';
import type { GrantingRole, RoleRow } from './roles.store.ts';
import { pageOfRows, rowsExist } from './rows.ts';
import { bigint, boolean, id, table, time, type RowOf } from './columns.ts';

export const Membership = table('memberships', {
  id: id<MembershipId>(),
  tenant_id: bigint<TenantId>(),
  user_id: bigint<UserId>(),
  active: boolean({ default: true }),
  created_at: time({ createDate: true }),
});
export type MembershipRow = RowOf<typeof Membership>;

export const MemberRole = table('member_roles', {
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

const memberColumns = `u.id, m.id AS membership_id, u.email, u.name, m.active, m.created_at,
    (SELECT coalesce(jsonb_agg(to_jsonb(r) ORDER BY r.id), '[]')
     FROM member_roles mr JOIN roles r ON r.id = mr.role_id WHERE mr.membership_id = m.id) AS roles`;
const memberJoins = 'JOIN users u ON u.id = m.user_id';
const member = `SELECT ${memberColumns} FROM memberships m ${memberJoins}`;

export const findMembers = (db: Database, tenantId: TenantId, ids: UserId[]) =>
  db.query<Member>(`${member} WHERE m.tenant_id = $1 AND m.user_id = ANY ($2)`, [tenantId, ids]);

/** @throws Problem `not_found` */
export async function getMember(db: Database, tenantId: TenantId, id: UserId): Promise<Member> {
  const [found] = await findMembers(db, tenantId, [id]);
  if (!found) throw problem('not_found');
  return found;
}

export const isMember = (db: Database, tenantId: TenantId, id: UserId) =>
  db.manager.existsBy(Membership, { tenant_id: tenantId, user_id: id });

/** Whether a member has this address: verified by a linked identity, or their account has none yet and is the address alone. */
export const isMemberByEmail = (db: Database, tenantId: TenantId, email: string) =>
  rowsExist(
    db,
    `memberships WHERE tenant_id = $1 AND user_id IN (
       SELECT user_id FROM identities WHERE lower(email) = lower($2)
       UNION ALL
       SELECT id FROM users u WHERE lower(email) = lower($2) AND NOT EXISTS (SELECT FROM identities WHERE user_id = u.id))`,
    [tenantId, email],
  );

export async function listMembers(
  db: Database,
  tenantId: TenantId,
  roleId: RoleId | null,
  page: Page,
): Promise<[Member[], number]> {
  const all = 'memberships WHERE tenant_id = $1';
  const shown = { as: 'm', joins: memberJoins };
  if (roleId === null) return await pageOfRows<Member>(db, memberColumns, all, [tenantId], page, shown);
  const holders = `${all} AND id IN (SELECT membership_id FROM member_roles WHERE role_id = $2)`;
  return await pageOfRows<Member>(db, memberColumns, holders, [tenantId, roleId], page, shown);
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

export const insertMember = (db: Database, tenantId: TenantId, userId: UserId, roleIds: readonly RoleId[]) =>
  db.query(
    `WITH membership AS (INSERT INTO memberships (tenant_id, user_id) VALUES ($1, $2) RETURNING id)
     INSERT INTO member_roles (membership_id, role_id)
     SELECT membership.id, role_id FROM membership, unnest($3::bigint[]) AS role_id`,
    [tenantId, userId, roleIds],
  );

export const setActive = (db: Database, id: MembershipId, active: boolean) =>
  db.manager.update(Membership, { id }, { active });

/** Makes all members of a tenant inactive, its owner too. @returns those who were active */
export async function deactivateMembers(db: Database, tenantId: TenantId): Promise<UserId[]> {
  const rows = await db.query<UserIdRow>(
    'UPDATE memberships SET active = false WHERE tenant_id = $1 AND active RETURNING user_id',
    [tenantId],
  );
  return rows.map(({ user_id }) => user_id);
}

export const setRoles = (db: Database, id: MembershipId, roleIds: RoleId[]) =>
  db.query(
    `WITH others AS (DELETE FROM member_roles WHERE membership_id = $1 AND role_id <> ALL ($2))
     INSERT INTO member_roles (membership_id, role_id) SELECT $1, unnest($2::bigint[]) ON CONFLICT DO NOTHING`,
    [id, roleIds],
  );

export const deleteMember = (db: Database, id: MembershipId) =>
  db.query(
    `WITH roles AS (DELETE FROM member_roles WHERE membership_id = $1)
     DELETE FROM memberships WHERE id = $1`,
    [id],
  );

export async function deleteMembersOf(db: Database, tenantId: TenantId): Promise<void> {
  await db.query(
    'DELETE FROM member_roles WHERE membership_id IN (SELECT id FROM memberships WHERE tenant_id = $1)',
    [tenantId],
  );
  await db.manager.delete(Membership, { tenant_id: tenantId });
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

type UserIdRow = Pick<MembershipRow, 'user_id'>;

/** The users whose rights depend on one of these roles: they hold it, or have a key with it. */
export async function listUsersOfRoles(db: Database, roleIds: RoleId[]): Promise<UserId[]> {
  const users = await db.query<UserIdRow>(
    `SELECT m.user_id FROM member_roles mr JOIN memberships m ON m.id = mr.membership_id WHERE mr.role_id = ANY ($1)
     UNION SELECT user_id FROM api_keys WHERE role_id = ANY ($1)`,
    [roleIds],
  );
  return users.map(({ user_id }) => user_id);
}
