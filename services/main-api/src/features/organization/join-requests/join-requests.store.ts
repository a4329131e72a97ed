import type { JoinRequestId, TenantId, UserId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import type { Database } from '@sluice/main-store/database';
import { existing, firstOf, insertRow, pageOfRows, pick } from '@sluice/main-store/rows';
import { bigint, id, nullable, table, text, time, type RowOf } from '@sluice/main-store/columns';

export const JoinRequest = table('join_requests', {
  id: id<JoinRequestId>(),
  tenant_id: bigint<TenantId>(),
  user_id: bigint<UserId>(),
  status: text<'pending' | 'approved' | 'rejected'>({ default: 'pending' }),
  created_at: time({ createDate: true }),
  decided_at: nullable(time()),
});
export type JoinRequestRow = RowOf<typeof JoinRequest>;

export interface JoinRequestWithUser extends JoinRequestRow {
  user_name: string;
  email: string;
}

const shownRequest = {
  as: 'j',
  columns: 'j.*, u.name AS user_name, u.email',
  joins: 'JOIN users u ON u.id = j.user_id',
};

export const insertJoinRequest = (db: Database, tenantId: TenantId, userId: UserId) =>
  insertRow(db, JoinRequest, { tenant_id: tenantId, user_id: userId });

export const listJoinRequests = (db: Database, tenantId: TenantId, page: Page) =>
  pageOfRows<JoinRequestWithUser>(db, page, 'join_requests WHERE tenant_id = $1', [tenantId], shownRequest);

export async function exportJoinRequests(db: Database, userId: UserId) {
  const requests = await db.manager.find(JoinRequest, { where: { user_id: userId }, order: { id: 'ASC' } });
  return requests.map((row) => pick(row, 'id', 'tenant_id', 'status', 'created_at', 'decided_at'));
}

export const getJoinRequest = (db: Database, tenantId: TenantId, id: JoinRequestId) => {
  const { columns, joins } = shownRequest;
  const text = `SELECT ${columns} FROM join_requests j ${joins} WHERE j.tenant_id = $1 AND j.id = $2`;
  return existing(firstOf(db.query<JoinRequestWithUser>(text, [tenantId, id])));
};

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
