import type { JoinRequestId, TenantId, UserId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { problem } from '@sluice/service';
import type { Database } from '../database.ts';
import { JoinRequest, type JoinRequestRow } from './join-requests.entity.ts';
import { newRow, pageOfRows } from './rows.ts';

/** A join request with whoever asks. */
export interface JoinRequestWithUser extends JoinRequestRow {
  user_name: string;
  email: string;
}

const requestColumns = 'j.*, u.name AS user_name, u.email';
const requestJoins = 'JOIN users u ON u.id = j.user_id';
const request = `SELECT ${requestColumns} FROM join_requests j ${requestJoins}`;

export async function insertJoinRequest(db: Database, tenantId: TenantId, userId: UserId): Promise<void> {
  await db.manager.insert(JoinRequest, newRow(db, JoinRequest, { tenant_id: tenantId, user_id: userId }));
}

export async function listJoinRequests(
  db: Database,
  tenantId: TenantId,
  page: Page,
): Promise<[JoinRequestWithUser[], number]> {
  const source = 'join_requests WHERE tenant_id = $1';
  const shown = { as: 'j', joins: requestJoins };
  return await pageOfRows<JoinRequestWithUser>(db, requestColumns, source, [tenantId], page, shown);
}

/** What is held of a user's join requests, for themselves. */
export async function exportJoinRequests(db: Database, userId: UserId) {
  const requests = await db.manager.find(JoinRequest, { where: { user_id: userId }, order: { id: 'ASC' } });
  return requests.map(({ id, tenant_id, status, created_at, decided_at }) => ({
    id,
    tenant_id,
    status,
    created_at,
    decided_at,
  }));
}

/** @throws Problem `not_found` */
export async function getJoinRequest(
  db: Database,
  tenantId: TenantId,
  id: JoinRequestId,
): Promise<JoinRequestWithUser> {
  const [row] = await db.query<JoinRequestWithUser>(`${request} WHERE j.tenant_id = $1 AND j.id = $2`, [
    tenantId,
    id,
  ]);
  if (!row) throw problem('not_found');
  return row;
}

/** Decides a request that is pending. @returns whether it was */
export async function decideJoinRequest(
  db: Database,
  id: JoinRequestId,
  status: 'approved' | 'rejected',
  now: Date,
): Promise<boolean> {
  const pending = { id, status: 'pending' as const };
  return (await db.manager.update(JoinRequest, pending, { status, decided_at: now })).affected === 1;
}
