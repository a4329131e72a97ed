import type { TenantId } from '@sluice/contracts';
import type { Database } from '../database.ts';

/** The keys of the grants of all sessions of a tenant's members. */
export async function sessionsOfMembers(db: Database, tenantId: TenantId): Promise<string[]> {
  const sessions = await db.query<{ token_sha256: string }>(
    `SELECT s.token_sha256 FROM sessions s JOIN memberships m ON m.user_id = s.user_id WHERE m.tenant_id = $1`,
    [tenantId],
  );
  return sessions.map(({ token_sha256 }) => token_sha256);
}

/** Each before what it refers to. Tables that are not here refer to the tenant with ON DELETE CASCADE. */
const statements = [
  'DELETE FROM member_roles WHERE membership_id IN (SELECT id FROM memberships WHERE tenant_id = $1)',
  'DELETE FROM memberships WHERE tenant_id = $1',
  'DELETE FROM roles WHERE tenant_id = $1',
  'DELETE FROM environments WHERE tenant_id = $1',
  'DELETE FROM divisions WHERE tenant_id = $1',
  'DELETE FROM subscriptions WHERE tenant_id = $1',
  'DELETE FROM idempotent_requests WHERE tenant_id = $1',
  'DELETE FROM tenants WHERE id = $1',
];

/** Deletes a tenant whose keys and deployments are gone. The users stay. */
export async function deleteTenantRows(db: Database, tenantId: TenantId): Promise<void> {
  for (const statement of statements) await db.query(statement, [tenantId]);
}
