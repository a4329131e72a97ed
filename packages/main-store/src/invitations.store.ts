import type { InvitationId, Ref, RoleId, TenantId, UserId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { LessThanOrEqual, MoreThan } from 'typeorm';
import type { Database, Transaction } from './database.ts';
import type { GrantingRole } from './roles.store.ts';
import { existing, firstOf, ignoringCase, insertRow, pageOfRows } from './rows.ts';
import { bigint, id, nullable, table, text, time, type RowOf } from './columns.ts';

export const Invitation = table('invitations', {
  id: id<InvitationId>(),
  tenant_id: bigint<TenantId>(),
  email: text(),
  /** a pending one past its end is expired; a deleted one is kept only to be counted */
  status: text<'pending' | 'accepted' | 'rejected' | 'deleted'>({ default: 'pending' }),
  invited_by: bigint<UserId>(),
  created_at: time(),
  expires_at: time(),
  /** why its mail could not be delivered, as far as that is known */
  mail_failure: nullable(text()),
});
export type InvitationRow = RowOf<typeof Invitation>;

const InvitationRole = table('invitation_roles', {
  invitation_id: bigint<InvitationId>({ primary: true }),
  role_id: bigint<RoleId>({ primary: true }),
});

/** An invitation with the names of what it refers to, and with what it takes to know whether it stands. */
export interface InvitationWithRoles extends Omit<InvitationRow, 'invited_by'> {
  tenant_name: string;
  invited_by: Ref<UserId>;
  roles: (Ref<RoleId> & GrantingRole)[];
  /** of its maker in the tenant; null: not an active member */
  inviter_roles: GrantingRole[] | null;
}

const shownInvitation = {
  as: 'i',
  columns: `i.id, i.tenant_id, t.name AS tenant_name, i.email, i.status, i.created_at, i.expires_at, i.mail_failure,
    jsonb_build_object('id', u.id, 'name', u.name) AS invited_by,
    (SELECT coalesce(jsonb_agg(to_jsonb(r) ORDER BY r.id), '[]')
     FROM invitation_roles ir JOIN roles r ON r.id = ir.role_id WHERE ir.invitation_id = i.id) AS roles,
    (SELECT coalesce(jsonb_agg(to_jsonb(held)) FILTER (WHERE held.id IS NOT NULL), '[]')
     FROM memberships m LEFT JOIN member_roles mr ON mr.membership_id = m.id LEFT JOIN roles held ON held.id = mr.role_id
     WHERE m.tenant_id = i.tenant_id AND m.user_id = i.invited_by AND m.active
     GROUP BY m.id) AS inviter_roles`,
  joins: 'JOIN tenants t ON t.id = i.tenant_id JOIN users u ON u.id = i.invited_by',
};
const invitation = `SELECT ${shownInvitation.columns} FROM invitations i ${shownInvitation.joins} WHERE i.status <> 'deleted'`;

/** Whether an invitation goes to a verified address of an identity that user `$1` has now. */
const toUser = 'lower(i.email) IN (SELECT lower(email) FROM identities WHERE user_id = $1)';

export const getInvitation = (db: Database, id: InvitationId) =>
  existing(firstOf(db.query<InvitationWithRoles>(`${invitation} AND i.id = $1`, [id])));

/** An invitation that a user can answer. */
export const getInvitationTo = (db: Database, userId: UserId, id: InvitationId) =>
  existing(firstOf(db.query<InvitationWithRoles>(`${invitation} AND ${toUser} AND i.id = $2`, [userId, id])));

export const listInvitations = (db: Database, tenantId: TenantId, page: Page) => {
  const source = "invitations WHERE tenant_id = $1 AND status <> 'deleted'";
  return pageOfRows<InvitationWithRoles>(db, page, source, [tenantId], shownInvitation);
};

export const listInvitationsOf = (db: Database, userId: UserId) =>
  db.query<InvitationWithRoles>(`${invitation} AND ${toUser} ORDER BY i.created_at DESC, i.id DESC`, [
    userId,
  ]);

/** What is held of a user's invitations, for themselves. */
export const exportInvitations = (db: Database, userId: UserId) =>
  db.query<Omit<InvitationRow, 'invited_by'>>(
    `SELECT id, tenant_id, email, status, created_at, expires_at, mail_failure
     FROM invitations i WHERE ${toUser} ORDER BY id`,
    [userId],
  );

const recentMilliseconds = 7 * 24 * 60 * 60 * 1000;

/** What the plan's limits count: the invitations of the last seven days, answered or not, and those that are unanswered. */
export const countRecentInvitations = async ({ manager }: Database, tenant_id: TenantId, now: Date) => ({
  made: await manager.countBy(Invitation, {
    ...{ tenant_id, created_at: MoreThan(new Date(now.getTime() - recentMilliseconds)) },
  }),
  pending: await manager.countBy(Invitation, { tenant_id, status: 'pending', expires_at: MoreThan(now) }),
});

/** The invitations of an address into a tenant that are pending at `now`. */
export const listPendingOf = (db: Database, tenantId: TenantId, email: string, now: Date) =>
  db.query<InvitationWithRoles>(
    `${invitation} AND i.tenant_id = $1 AND lower(i.email) = lower($2)
       AND i.status = 'pending' AND i.expires_at > $3`,
    [tenantId, email, now],
  );

export async function insertInvitation(
  tx: Transaction,
  row: Omit<InvitationRow, 'id' | 'status' | 'mail_failure'>,
  roleIds: RoleId[],
): Promise<InvitationId> {
  const { id } = await insertRow(tx, Invitation, row);
  const rows = roleIds.map((role_id) => ({ invitation_id: id, role_id }));
  if (rows.length > 0) await tx.manager.insert(InvitationRole, rows);
  return id;
}

export async function takeInvitationsBack(
  db: Database,
  tenant_id: TenantId,
  email: string,
  madeBy: Date,
): Promise<number> {
  const made = { tenant_id, email: ignoringCase(email), created_at: LessThanOrEqual(madeBy) };
  const back = await db.manager.update(Invitation, { ...made, status: 'pending' }, { status: 'deleted' });
  return back.affected ?? 0;
}

/** Answers an invitation that is pending at `now`. @returns whether it was */
export async function settleInvitation(
  db: Database,
  id: InvitationId,
  status: 'accepted' | 'rejected',
  now: Date,
): Promise<boolean> {
  const pending = { id, status: 'pending' as const, expires_at: MoreThan(now) };
  return (await db.manager.update(Invitation, pending, { status })).affected === 1;
}

/** @returns false when it was answered */
export async function deleteUnanswered(db: Database, id: InvitationId): Promise<boolean> {
  const pending = { id, status: 'pending' as const };
  return (await db.manager.update(Invitation, pending, { status: 'deleted' })).affected === 1;
}

/** Notes why the mail of an invitation could not be delivered. */
export const recordMailFailure = (db: Database, tenant_id: TenantId, id: InvitationId, reason: string) =>
  db.manager.update(Invitation, { id, tenant_id }, { mail_failure: reason });
