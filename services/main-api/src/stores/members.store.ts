import type { Ref, RoleId, TenantId, UserId } from '@sluice/contracts';
import type { Page } from '@sluice/service-kit';
import type { Database } from '../database.ts';
import type { RoleRow } from './roles.entity.ts';

/** A member of a tenant. */
export interface MemberRow {
  /** the user's, by which members are named */
  id: UserId;
  membership_id: number;
  email: string;
  name: string;
  active: boolean;
  roles: Pick<RoleRow, 'id' | 'kind' | 'name' | 'permissions'>[];
  created_at: Date;
}

const member = `SELECT u.id, m.id AS membership_id, u.email, u.name, m.active, m.created_at,
    (SELECT coalesce(jsonb_agg(to_jsonb(r) ORDER BY r.id), '[]')
     FROM member_roles mr JOIN roles r ON r.id = mr.role_id WHERE mr.membership_id = m.id) AS roles
  FROM memberships m JOIN users u ON u.id = m.user_id`;

/** Those of these users who are members. */
export async function findMembers(db: Database, tenantId: TenantId, ids: UserId[]): Promise<MemberRow[]> {
  return await db.query<MemberRow>(`${member} WHERE m.tenant_id = $1 AND m.user_id = ANY ($2)`, [
    tenantId,
    ids,
  ]);
}

/** All members of a tenant, or those who hold a role. */
export async function listMembers(
  db: Database,
  tenantId: TenantId,
  roleId: RoleId | null,
  { offset, results }: Page,
): Promise<[MemberRow[], number]> {
  const where = `WHERE m.tenant_id = $1 AND ($2::bigint IS NULL
    OR EXISTS (SELECT FROM member_roles mr WHERE mr.membership_id = m.id AND mr.role_id = $2))`;
  const members = await db.query<MemberRow>(
    `${member} ${where} ORDER BY m.created_at DESC, m.id DESC OFFSET $3 LIMIT $4`,
    [tenantId, roleId, offset, results],
  );
  const [total] = await db.query<{ count: number }>(`SELECT count(*) FROM memberships m ${where}`, [
    tenantId,
    roleId,
  ]);
  return [members, total?.count ?? 0];
}

export async function countMembers(db: Database, tenantId: TenantId): Promise<number> {
  const [row] = await db.query<{ count: number }>('SELECT count(*) FROM memberships WHERE tenant_id = $1', [
    tenantId,
  ]);
  return row?.count ?? 0;
}

export async function isMember(db: Database, tenantId: TenantId, email: string): Promise<boolean> {
  const members = await db.query(
    `SELECT FROM memberships m JOIN users u ON u.id = m.user_id
     WHERE m.tenant_id = $1 AND lower(u.email) = lower($2)`,
    [tenantId, email],
  );
  return members.length > 0;
}

/** Makes a user a member with these roles. */
export async function insertMember(
  db: Database,
  tenantId: TenantId,
  userId: UserId,
  roleIds: readonly RoleId[],
): Promise<void> {
  await db.query(
    `WITH membership AS (INSERT INTO memberships (tenant_id, user_id) VALUES ($1, $2) RETURNING id)
     INSERT INTO member_roles (membership_id, role_id)
     SELECT membership.id, role_id FROM membership, unnest($3::bigint[]) AS role_id`,
    [tenantId, userId, roleIds],
  );
}

export async function setActive(db: Database, membershipId: number, active: boolean): Promise<void> {
  await db.query('UPDATE memberships SET active = $2 WHERE id = $1', [membershipId, active]);
}

/** Gives a member exactly these roles. */
export async function setRoles(db: Database, membershipId: number, roleIds: RoleId[]): Promise<void> {
  await db.query(
    `WITH others AS (DELETE FROM member_roles WHERE membership_id = $1 AND role_id <> ALL ($2))
     INSERT INTO member_roles (membership_id, role_id) SELECT $1, unnest($2::bigint[]) ON CONFLICT DO NOTHING`,
    [membershipId, roleIds],
  );
}

export async function deleteMember(db: Database, membershipId: number): Promise<void> {
  await db.query(
    `WITH roles AS (DELETE FROM member_roles WHERE membership_id = $1)
     DELETE FROM memberships WHERE id = $1`,
    [membershipId],
  );
}

/** Gives a role to members and answers those who did not have it. */
export async function assignRole(
  db: Database,
  tenantId: TenantId,
  roleId: RoleId,
  userIds: UserId[],
): Promise<Ref<UserId>[]> {
  return await db.query<Ref<UserId>>(
    `WITH assigned AS (
       INSERT INTO member_roles (membership_id, role_id)
       SELECT id, $2 FROM memberships WHERE tenant_id = $1 AND user_id = ANY ($3)
       ON CONFLICT DO NOTHING RETURNING membership_id)
     SELECT u.id, u.name FROM assigned JOIN memberships m ON m.id = membership_id JOIN users u ON u.id = m.user_id`,
    [tenantId, roleId, userIds],
  );
}

/** Takes a role from members and answers those who had it. */
export async function revokeRole(
  db: Database,
  tenantId: TenantId,
  roleId: RoleId,
  userIds: UserId[],
): Promise<Ref<UserId>[]> {
  return await db.query<Ref<UserId>>(
    `DELETE FROM member_roles mr USING memberships m JOIN users u ON u.id = m.user_id
     WHERE mr.membership_id = m.id AND mr.role_id = $2 AND m.tenant_id = $1 AND m.user_id = ANY ($3)
     RETURNING u.id, u.name`,
    [tenantId, roleId, userIds],
  );
}
