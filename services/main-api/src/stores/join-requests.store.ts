import type { JoinRequestId, TenantId, UserId } from '@sluice/contracts';
import type { Page } from '@sluice/service-kit';
import type { Database } from '../database.ts';
import type { JoinPolicy } from './tenants.entity.ts';

export interface JoinRequestRow {
  id: JoinRequestId;
  user_id: UserId;
  user_name: string;
  email: string;
  status: 'pending' | 'approved' | 'rejected';
  created_at: Date;
  decided_at: Date | null;
}

export async function findTenantByDomain(db: Database, domain: string): Promise<TenantId | undefined> {
  const [tenant] = await db.query<{ id: TenantId }>('SELECT id FROM tenants WHERE email_domain = $1', [
    domain,
  ]);
  return tenant?.id;
}

export async function readJoinPolicy(db: Database, tenantId: TenantId): Promise<JoinPolicy> {
  const [tenant] = await db.query<{ join_policy: JoinPolicy }>(
    'SELECT join_policy FROM tenants WHERE id = $1',
    [tenantId],
  );
  return tenant?.join_policy ?? 'invite_only';
}

export async function insertJoinRequest(db: Database, tenantId: TenantId, userId: UserId): Promise<void> {
  await db.query('INSERT INTO join_requests (tenant_id, user_id) VALUES ($1, $2)', [tenantId, userId]);
}

export async function listJoinRequests(
  db: Database,
  tenantId: TenantId,
  { offset, results }: Page,
): Promise<[JoinRequestRow[], number]> {
  const rows = await db.query<JoinRequestRow>(
    `SELECT j.id, j.user_id, u.name AS user_name, u.email, j.status, j.created_at, j.decided_at
     FROM join_requests j JOIN users u ON u.id = j.user_id
     WHERE j.tenant_id = $1 ORDER BY j.created_at DESC, j.id DESC OFFSET $2 LIMIT $3`,
    [tenantId, offset, results],
  );
  const [total] = await db.query<{ count: number }>(
    'SELECT count(*) FROM join_requests WHERE tenant_id = $1',
    [tenantId],
  );
  return [rows, total?.count ?? 0];
}

export async function findJoinRequest(
  db: Database,
  tenantId: TenantId,
  id: JoinRequestId,
): Promise<JoinRequestRow | undefined> {
  const [row] = await db.query<JoinRequestRow>(
    `SELECT j.id, j.user_id, u.name AS user_name, u.email, j.status, j.created_at, j.decided_at
     FROM join_requests j JOIN users u ON u.id = j.user_id WHERE j.tenant_id = $1 AND j.id = $2`,
    [tenantId, id],
  );
  return row;
}

/** Decides a request that is pending. @returns whether it was */
export async function decideJoinRequest(
  db: Database,
  id: JoinRequestId,
  status: 'approved' | 'rejected',
  now: Date,
): Promise<boolean> {
  const decided = await db.query(
    "UPDATE join_requests SET status = $2, decided_at = $3 WHERE id = $1 AND status = 'pending' RETURNING id",
    [id, status, now],
  );
  return decided.length > 0;
}
