import type { DivisionId, TenantId, UserId } from '@sluice/contracts';
import { isUniqueViolation, problem } from '@sluice/service-kit';
import type { Database } from '../database.ts';

export interface UserRow {
  id: UserId;
  name: string;
  email: string;
  /** tenants owned, at most */
  tenants_limit: number;
  memberships_limit: number;
  default_tenant_id: TenantId | null;
  default_division_id: DivisionId | null;
  created_at: Date;
  updated_at: Date;
}

/** @throws Problem `account_exists` when the address is in use */
export async function insertUser(db: Database, name: string, email: string): Promise<UserRow> {
  try {
    const [user] = await db.query<UserRow>('INSERT INTO users (name, email) VALUES ($1, $2) RETURNING *', [
      name,
      email,
    ]);
    if (!user) throw new Error('a user that was just made is not there');
    return user;
  } catch (error) {
    throw isUniqueViolation(error, 'users_email_key') ? problem('account_exists') : error;
  }
}

export async function requireUser(db: Database, id: UserId): Promise<UserRow> {
  const [user] = await db.query<UserRow>('SELECT * FROM users WHERE id = $1', [id]);
  if (!user) throw problem('unauthenticated');
  return user;
}

/** How many tenants a user owns, and of how many they are a member. */
export async function countTenantsOf(
  db: Database,
  id: UserId,
): Promise<{ tenants: number; memberships: number }> {
  const [counts] = await db.query<{ tenants: number; memberships: number }>(
    `SELECT (SELECT count(*) FROM tenants WHERE owner_id = $1) AS tenants,
       (SELECT count(*) FROM memberships WHERE user_id = $1) AS memberships`,
    [id],
  );
  return counts ?? { tenants: 0, memberships: 0 };
}

/** The corporate domain that a provider has vouched for. */
export async function findCorporateDomain(db: Database, id: UserId): Promise<string | null> {
  const [identity] = await db.query<{ corporate_domain: string }>(
    'SELECT corporate_domain FROM identities WHERE user_id = $1 AND corporate_domain IS NOT NULL ORDER BY id LIMIT 1',
    [id],
  );
  return identity?.corporate_domain ?? null;
}

export async function updateSettings(
  db: Database,
  id: UserId,
  { default_tenant_id, default_division_id }: Pick<UserRow, 'default_tenant_id' | 'default_division_id'>,
): Promise<void> {
  await db.query(
    'UPDATE users SET default_tenant_id = $2, default_division_id = $3, updated_at = now() WHERE id = $1',
    [id, default_tenant_id, default_division_id],
  );
}

/** Clears the default tenant and division of a user who has left the tenant. */
export async function forgetDefaults(db: Database, id: UserId, tenantId: TenantId): Promise<void> {
  await db.query(
    `UPDATE users SET default_tenant_id = NULL, default_division_id = NULL
     WHERE id = $1 AND default_tenant_id = $2`,
    [id, tenantId],
  );
}

/** Everything held about a user besides their own row, by where it is; without the hashes of tokens. */
export async function readAccountExport(db: Database, user: Pick<UserRow, 'id' | 'email'>) {
  const of = (text: string, value: unknown = user.id) => db.query<Record<string, unknown>>(text, [value]);
  return {
    identities: await of(
      `SELECT source, subject, email, corporate_domain, created_at, updated_at
       FROM identities WHERE user_id = $1 ORDER BY id`,
    ),
    sessions: await of(
      `SELECT id, source, created_at, last_used_at, idle_expires_at, expires_at
       FROM sessions WHERE user_id = $1 ORDER BY id`,
    ),
    memberships: await of(
      `SELECT t.id AS tenant_id, t.name AS tenant_name, t.owner_id = m.user_id AS owner, m.active, m.created_at,
         (SELECT coalesce(jsonb_agg(r.name ORDER BY r.id), '[]')
          FROM member_roles mr JOIN roles r ON r.id = mr.role_id WHERE mr.membership_id = m.id) AS roles
       FROM memberships m JOIN tenants t ON t.id = m.tenant_id WHERE m.user_id = $1 ORDER BY m.id`,
    ),
    api_keys: await of(
      `SELECT id, tenant_id, division_id, name, role_id, validate_ip, allowed_ips, expiry_at, last_used_at, created_at
       FROM api_keys WHERE user_id = $1 ORDER BY id`,
    ),
    invitations: await of(
      `SELECT id, tenant_id, email, status, created_at, expires_at
       FROM invitations WHERE lower(email) = lower($1) ORDER BY id`,
      user.email,
    ),
    join_requests: await of(
      `SELECT id, tenant_id, status, created_at, decided_at FROM join_requests WHERE user_id = $1 ORDER BY id`,
    ),
  };
}
