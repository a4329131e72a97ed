import type { InvitationId, Ref, RoleId, TenantId, UserId } from '@sluice/contracts';
import type { Page } from '@sluice/service-kit';
import type { Database } from '../database.ts';

export interface InvitationRow {
  id: InvitationId;
  tenant_id: TenantId;
  tenant_name: string;
  email: string;
  status: 'pending' | 'accepted' | 'rejected';
  roles: Ref<RoleId>[];
  invited_by: Ref<UserId>;
  created_at: Date;
  expires_at: Date;
}

const invitation = `SELECT i.id, i.tenant_id, t.name AS tenant_name, i.email, i.status, i.created_at, i.expires_at,
    jsonb_build_object('id', u.id, 'name', u.name) AS invited_by,
    (SELECT coalesce(jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name) ORDER BY r.id), '[]')
     FROM invitation_roles ir JOIN roles r ON r.id = ir.role_id WHERE ir.invitation_id = i.id) AS roles
  FROM invitations i JOIN tenants t ON t.id = i.tenant_id JOIN users u ON u.id = i.invited_by`;

export async function findInvitation(db: Database, id: InvitationId): Promise<InvitationRow | undefined> {
  const [row] = await db.query<InvitationRow>(`${invitation} WHERE i.id = $1`, [id]);
  return row;
}

export async function listInvitations(
  db: Database,
  tenantId: TenantId,
  { offset, results }: Page,
): Promise<[InvitationRow[], number]> {
  const rows = await db.query<InvitationRow>(
    `${invitation} WHERE i.tenant_id = $1 ORDER BY i.created_at DESC, i.id DESC OFFSET $2 LIMIT $3`,
    [tenantId, offset, results],
  );
  const [total] = await db.query<{ count: number }>('SELECT count(*) FROM invitations WHERE tenant_id = $1', [
    tenantId,
  ]);
  return [rows, total?.count ?? 0];
}

/** The invitations of an address, into whatever tenant, newest first. */
export async function listInvitationsOf(db: Database, email: string): Promise<InvitationRow[]> {
  return await db.query<InvitationRow>(
    `${invitation} WHERE lower(i.email) = lower($1) ORDER BY i.created_at DESC, i.id DESC`,
    [email],
  );
}

/** How many of a tenant's invitations have not ended, and how many of these wait for an answer. */
export async function countInvitations(
  db: Database,
  tenantId: TenantId,
  now: Date,
): Promise<{ sent: number; pending: number }> {
  const [counts] = await db.query<{ sent: number; pending: number }>(
    `SELECT count(*) AS sent, count(*) FILTER (WHERE status = 'pending') AS pending
     FROM invitations WHERE tenant_id = $1 AND expires_at > $2`,
    [tenantId, now],
  );
  return counts ?? { sent: 0, pending: 0 };
}

export async function isInvited(
  db: Database,
  tenantId: TenantId,
  email: string,
  now: Date,
): Promise<boolean> {
  const pending = await db.query(
    `SELECT FROM invitations
     WHERE tenant_id = $1 AND lower(email) = lower($2) AND status = 'pending' AND expires_at > $3`,
    [tenantId, email, now],
  );
  return pending.length > 0;
}

/** Whether another tenant, whose domain this is or lies in, lets nobody else invite its people. */
export async function isLockedDomain(db: Database, tenantId: TenantId, domain: string): Promise<boolean> {
  const locking = await db.query(
    `SELECT FROM tenants WHERE id <> $1 AND block_external_invitations
       AND ($2 = lower(email_domain) OR right($2, length(email_domain) + 1) = '.' || lower(email_domain))`,
    [tenantId, domain],
  );
  return locking.length > 0;
}

/** The addresses of a tenant's divisions. */
export async function listDivisionEmails(db: Database, tenantId: TenantId): Promise<string[]> {
  const divisions = await db.query<{ email: string }>(
    'SELECT email FROM divisions WHERE tenant_id = $1 AND email IS NOT NULL',
    [tenantId],
  );
  return divisions.map(({ email }) => email);
}

export async function insertInvitation(
  db: Database,
  row: { tenant_id: TenantId; email: string; invited_by: UserId; created_at: Date; expires_at: Date },
  roleIds: RoleId[],
): Promise<InvitationId> {
  const [inserted] = await db.query<{ id: InvitationId }>(
    `WITH invitation AS (
       INSERT INTO invitations (tenant_id, email, invited_by, created_at, expires_at) VALUES ($1, $2, $3, $4, $5)
       RETURNING id),
       given AS (
         INSERT INTO invitation_roles (invitation_id, role_id)
         SELECT invitation.id, role_id FROM invitation, unnest($6::bigint[]) AS role_id)
     SELECT id FROM invitation`,
    [row.tenant_id, row.email, row.invited_by, row.created_at, row.expires_at, roleIds],
  );
  if (!inserted) throw new Error('an invitation was not stored');
  return inserted.id;
}

/** Answers an invitation that is pending at `now`. @returns whether it was */
export async function settleInvitation(
  db: Database,
  id: InvitationId,
  status: 'accepted' | 'rejected',
  now: Date,
): Promise<boolean> {
  const settled = await db.query(
    `UPDATE invitations SET status = $2 WHERE id = $1 AND status = 'pending' AND expires_at > $3 RETURNING 1`,
    [id, status, now],
  );
  return settled.length > 0;
}

/** Deletes an invitation that nobody has answered. @returns whether there was one */
export async function deleteUnanswered(db: Database, id: InvitationId): Promise<boolean> {
  const deleted = await db.query("DELETE FROM invitations WHERE id = $1 AND status = 'pending' RETURNING 1", [
    id,
  ]);
  return deleted.length > 0;
}
