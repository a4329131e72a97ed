import type { SessionId, TenantId, UserId } from '@sluice/contracts';
import { MoreThan, Not } from 'typeorm';
import type { Database } from './database.ts';
import { insertRow, pick, takeRows } from './rows.ts';
import { bigint, id, nullable, table, text, time, type RowOf } from './columns.ts';

export const Session = table('sessions', {
  id: id<SessionId>(),
  user_id: bigint<UserId>(),
  /** the identity provider */
  source: text(),
  token_sha256: text(),
  /** of a terminal: what it calls itself; null: a browser */
  machine: nullable(text()),
  created_at: time(),
  last_used_at: time(),
  /** when it ends unless it is used */
  idle_expires_at: time(),
  /** when it ends however much it is used */
  expires_at: time(),
});
export type SessionRow = RowOf<typeof Session>;

/** A session with what it takes to compile its grants. */
export interface SessionWithUser {
  id: SessionId;
  user_id: UserId;
  user_name: string;
  token_sha256: string;
  ends_at: Date;
}

export type EndedSession = Pick<SessionRow, 'token_sha256' | 'user_id'>;

export const insertSession = (db: Database, session: Omit<SessionRow, 'id'>) =>
  insertRow(db, Session, session);

export const listSessions = (db: Database, userId: UserId, now: Date) =>
  db.manager.find(Session, {
    where: { user_id: userId, idle_expires_at: MoreThan(now), expires_at: MoreThan(now) },
    order: { created_at: 'DESC', id: 'DESC' },
  });

/** What is held of a user's sessions, for themselves: not the hashes of their tokens. */
export async function exportSessions(db: Database, userId: UserId) {
  const sessions = await db.manager.find(Session, { where: { user_id: userId }, order: { id: 'ASC' } });
  return sessions.map((row) =>
    pick(row, 'id', 'source', 'machine', 'created_at', 'last_used_at', 'idle_expires_at', 'expires_at'),
  );
}

const withUser = `SELECT s.id, s.user_id, u.name AS user_name, s.token_sha256,
    least(s.idle_expires_at, s.expires_at) AS ends_at
  FROM sessions s JOIN users u ON u.id = s.user_id`;

export const listLiveSessions = (db: Database, now: Date, after: SessionId, limit: number) =>
  db.query<SessionWithUser>(
    `${withUser} WHERE least(s.idle_expires_at, s.expires_at) > $1 AND s.id > $2 ORDER BY s.id LIMIT $3`,
    [now, after, limit],
  );

export const listSessionsOfUsers = (db: Database, userIds: readonly UserId[]) =>
  db.query<SessionWithUser>(`${withUser} WHERE s.user_id = ANY ($1)`, [userIds]);

export async function listSessionKeysOfMembers(db: Database, tenantId: TenantId): Promise<string[]> {
  const sessions = await db.query<Pick<SessionRow, 'token_sha256'>>(
    `SELECT s.token_sha256 FROM sessions s JOIN memberships m ON m.user_id = s.user_id WHERE m.tenant_id = $1`,
    [tenantId],
  );
  return sessions.map(({ token_sha256 }) => token_sha256);
}

export const findSessionByKey = (db: Database, key: string) =>
  db.manager.findOneBy(Session, { token_sha256: key });

/** Locks sessions, so that they cannot end before this transaction does. */
export const lockSessions = (db: Database, ids: readonly SessionId[]) =>
  db.query<SessionWithUser>(`${withUser} WHERE s.id = ANY ($1) ORDER BY s.id FOR UPDATE OF s`, [ids]);

export const deleteSession = (db: Database, user_id: UserId, id: SessionId) =>
  takeRows(db, Session, { user_id, id });

export const deleteSessionByKey = (db: Database, key: string) => takeRows(db, Session, { token_sha256: key });

export const deleteOtherSessions = (db: Database, user_id: UserId, key: string) =>
  takeRows(db, Session, { user_id, token_sha256: Not(key) });

export const deleteSessionsOfSource = (db: Database, user_id: UserId, source: string) =>
  takeRows(db, Session, { user_id, source });

/**
 * Stores when sessions were used.
 * @returns the ids of those of them that would end by `renewBefore` without being used
 */
export async function recordSessionUse(
  db: Database,
  uses: ReadonlyMap<string, Date>,
  renewBefore: Date,
): Promise<SessionId[]> {
  const rows = await db.query<{ id: SessionId; due: boolean }>(
    `UPDATE sessions s SET last_used_at = greatest(s.last_used_at, used.at)
     FROM unnest($1::text[], $2::timestamptz[]) AS used (key, at) WHERE s.token_sha256 = used.key
     RETURNING s.id, s.idle_expires_at < least($3, s.expires_at) AS due`,
    [[...uses.keys()], [...uses.values()], renewBefore],
  );
  return rows.filter(({ due }) => due).map(({ id }) => id);
}

export const postponeIdleEnd = (db: Database, id: SessionId, until: Date) =>
  db.query('UPDATE sessions SET idle_expires_at = greatest(idle_expires_at, $2) WHERE id = $1', [id, until]);
