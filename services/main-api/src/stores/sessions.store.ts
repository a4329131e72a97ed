import type { TenantId, UserId } from '@sluice/contracts';
import type { Database } from '../database.ts';
import type { RoleRow } from './roles.entity.ts';

export interface SessionRow {
  id: number;
  user_id: UserId;
  /** the identity provider */
  source: string;
  token_sha256: string;
  created_at: Date;
  last_used_at: Date;
  /** when it ends unless it is used */
  idle_expires_at: Date;
  /** when it ends however much it is used */
  expires_at: Date;
}

/** A session with what it takes to compile its grants. */
export interface StoredSession {
  id: number;
  user_id: UserId;
  user_name: string;
  token_sha256: string;
  ends_at: Date;
}

/** A membership with what it takes to compile the grants of the member's sessions. */
export interface MembershipRights {
  tenant_id: TenantId;
  user_id: UserId;
  active: boolean;
  owner: boolean;
  roles: Pick<RoleRow, 'kind' | 'name' | 'permissions'>[];
}

export async function insertSession(db: Database, session: Omit<SessionRow, 'id'>): Promise<SessionRow> {
  const [row] = await db.query<SessionRow>(
    `INSERT INTO sessions (user_id, source, token_sha256, created_at, last_used_at, idle_expires_at, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7) RETURNING *`,
    [
      session.user_id,
      session.source,
      session.token_sha256,
      session.created_at,
      session.last_used_at,
      session.idle_expires_at,
      session.expires_at,
    ],
  );
  if (!row) throw new Error('a session that was just made is not there');
  return row;
}

export async function listSessions(db: Database, userId: UserId, now: Date): Promise<SessionRow[]> {
  return await db.query<SessionRow>(
    `SELECT * FROM sessions WHERE user_id = $1 AND least(idle_expires_at, expires_at) > $2
     ORDER BY created_at DESC, id DESC`,
    [userId, now],
  );
}

const withUser = `SELECT s.id, s.user_id, u.name AS user_name, s.token_sha256,
    least(s.idle_expires_at, s.expires_at) AS ends_at
  FROM sessions s JOIN users u ON u.id = s.user_id`;

/** Every session that has not ended. */
export async function listLiveSessions(db: Database, now: Date): Promise<StoredSession[]> {
  return await db.query<StoredSession>(`${withUser} WHERE least(s.idle_expires_at, s.expires_at) > $1`, [
    now,
  ]);
}

export async function sessionsOfUsers(db: Database, userIds: readonly UserId[]): Promise<StoredSession[]> {
  return await db.query<StoredSession>(`${withUser} WHERE s.user_id = ANY ($1)`, [userIds]);
}

/** Locks a session, so that it cannot end before this transaction does. */
export async function lockSession(db: Database, id: number): Promise<StoredSession | undefined> {
  const [session] = await db.query<StoredSession>(`${withUser} WHERE s.id = $1 FOR UPDATE OF s`, [id]);
  return session;
}

/** The memberships of these users, in all tenants or in one. */
export async function membershipRights(
  db: Database,
  userIds: readonly UserId[],
  tenantId: TenantId | null,
): Promise<MembershipRights[]> {
  return await db.query<MembershipRights>(
    `SELECT m.tenant_id, m.user_id, m.active, t.owner_id = m.user_id AS owner,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('kind', r.kind, 'name', r.name, 'permissions', r.permissions)), '[]')
        FROM member_roles mr JOIN roles r ON r.id = mr.role_id WHERE mr.membership_id = m.id) AS roles
     FROM memberships m JOIN tenants t ON t.id = m.tenant_id
     WHERE m.user_id = ANY ($1) AND ($2::bigint IS NULL OR m.tenant_id = $2)`,
    [userIds, tenantId],
  );
}

/** Keeps the rights that a user has in their tenants from changing until this transaction ends. */
export async function holdRightsOf(db: Database, userId: UserId): Promise<void> {
  await db.query(
    `SELECT 1 FROM tenants t JOIN memberships m ON m.tenant_id = t.id
     WHERE m.user_id = $1 ORDER BY t.id FOR SHARE OF t`,
    [userId],
  );
}

/** Keeps a user's memberships and sessions from being added to until this transaction ends. */
export async function lockUser(db: Database, userId: UserId): Promise<void> {
  await db.query('SELECT 1 FROM users WHERE id = $1 FOR NO KEY UPDATE', [userId]);
}

export type EndedSession = Pick<SessionRow, 'token_sha256' | 'user_id'>;

/** Deletes one session of a user. */
export async function deleteSession(db: Database, userId: UserId, id: number): Promise<EndedSession[]> {
  return await db.query<EndedSession>(
    'DELETE FROM sessions WHERE user_id = $1 AND id = $2 RETURNING token_sha256, user_id',
    [userId, id],
  );
}

/** Deletes the session with this key. */
export async function deleteSessionByKey(db: Database, key: string): Promise<EndedSession[]> {
  return await db.query<EndedSession>(
    'DELETE FROM sessions WHERE token_sha256 = $1 RETURNING token_sha256, user_id',
    [key],
  );
}

/** Deletes all sessions of a user but the one with this key. */
export async function deleteOtherSessions(
  db: Database,
  userId: UserId,
  key: string,
): Promise<EndedSession[]> {
  return await db.query<EndedSession>(
    'DELETE FROM sessions WHERE user_id = $1 AND token_sha256 <> $2 RETURNING token_sha256, user_id',
    [userId, key],
  );
}

/** Deletes sessions that are over. */
export async function deleteEndedSessions(db: Database, now: Date): Promise<EndedSession[]> {
  return await db.query<EndedSession>(
    'DELETE FROM sessions WHERE least(idle_expires_at, expires_at) <= $1 RETURNING token_sha256, user_id',
    [now],
  );
}

/**
 * Notes when sessions were used.
 * @returns the ids of those of them that would end by `renewBefore` without being used
 */
export async function noteSessionUse(
  db: Database,
  uses: ReadonlyMap<string, Date>,
  renewBefore: Date,
): Promise<number[]> {
  const rows = await db.query<{ id: number; due: boolean }>(
    `UPDATE sessions s SET last_used_at = greatest(s.last_used_at, used.at)
     FROM unnest($1::text[], $2::timestamptz[]) AS used (key, at) WHERE s.token_sha256 = used.key
     RETURNING s.id, s.idle_expires_at < least($3, s.expires_at) AS due`,
    [[...uses.keys()], [...uses.values()], renewBefore],
  );
  return rows.filter(({ due }) => due).map(({ id }) => id);
}

export async function postponeIdleEnd(db: Database, id: number, until: Date): Promise<void> {
  await db.query('UPDATE sessions SET idle_expires_at = greatest(idle_expires_at, $2) WHERE id = $1', [
    id,
    until,
  ]);
}
