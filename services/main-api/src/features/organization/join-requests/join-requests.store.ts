import type { JoinRequestId, TenantId, UserId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { problem } from '@sluice/service';
import type { Database } from '../../../database.ts';
import { newRow, pageOfRows, pick } from '../../../stores/rows.ts';
import { bigint, id, nullable, table, text, time, type RowOf } from '../../../stores/columns.ts';

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

const requestColumns = 'j.*, u.name AS user_name, u.email';
const requestJoins = 'JOIN users u ON u.id = j.user_id';
const request = `SELECT ${requestColumns} FROM join_requests j ${requestJoins}`;

export const insertJoinRequest = (db: Database, tenantId: TenantId, userId: UserId) =>
  db.manager.insert(JoinRequest, newRow(db, JoinRequest, { tenant_id: tenantId, user_id: userId }));

export async function listJoinRequests(
  db: Database,
  tenantId: TenantId,
  page: Page,
): Promise<[JoinRequestWithUser[], number]> {
  const source = 'join_requests WHERE tenant_id = $1';
  const shown = { as: 'j', joins: requestJoins };
  return await pageOfRows<JoinRequestWithUser>(db, requestColumns, source, [tenantId], page, shown);
}

export async function exportJoinRequests(db: Database, userId: UserId) {
  const requests = await db.manager.find(JoinRequest, { where: { user_id: userId }, order: { id: 'ASC' } });
  return requests.map((row) => pick(row, 'id', 'tenant_id', 'status', 'created_at', 'decided_at'));
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
