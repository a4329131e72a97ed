import { randomBytes } from 'node:crypto';
import {
  idOf,
  noPermissions,
  noTenant,
  sessionGrantKey,
  tokenHash,
  type TenantId,
  type UserId,
} from '@sluice/contracts';
import type pg from 'pg';
import { aGrant } from './grants.ts';

/** Runs a statement in main-api's database. */
type Query = <Row extends pg.QueryResultRow>(text: string, values?: unknown[]) => Promise<Row[]>;

/** An identity provider creates a user who signs in; here there is none. One for each tenant, for the addresses differ. */
export async function addColleague(query: Query, tenantId: number): Promise<number> {
  const [row] = await query<{ user_id: string }>(
    `WITH person AS (INSERT INTO users (name, email) VALUES ('Colleague', 'colleague-' || $1::bigint || '@example.com') RETURNING id),
       member AS (INSERT INTO memberships (tenant_id, user_id) SELECT $1::bigint, id FROM person RETURNING id, user_id),
       role AS (
         INSERT INTO member_roles (membership_id, role_id)
         SELECT member.id, roles.id FROM member, roles
         WHERE roles.tenant_id = $1::bigint AND roles.kind = 'system' AND roles.name = 'admin')
     SELECT user_id FROM member`,
    [tenantId],
  );
  return Number(row?.user_id);
}

/** A session, and what it may do, as signing in stores both; main-api publishes it. */
export async function addSession(query: Query, tenantId: number, userId: number): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  const hash = tokenHash(token);
  const user = { id: idOf<UserId>(userId), name: 'Colleague' };
  const own = aGrant({ tenant_id: noTenant, user, api_key: null, permissions: noPermissions });
  await query(
    `WITH session AS (
       INSERT INTO sessions (user_id, source, token_sha256, created_at, last_used_at, idle_expires_at, expires_at)
       VALUES ($1, 'test', $2, now(), now(), now() + interval '1 hour', now() + interval '1 hour'))
     INSERT INTO grants (key, content, expires_at)
     SELECT key, content, now() + interval '1 hour'
     FROM jsonb_to_recordset($3) AS given (key text, content jsonb)`,
    [
      userId,
      hash,
      JSON.stringify([
        { key: sessionGrantKey(noTenant, hash), content: own },
        {
          key: sessionGrantKey(idOf<TenantId>(tenantId), hash),
          content: aGrant({ tenant_id: idOf<TenantId>(tenantId), user, api_key: null }),
        },
      ]),
    ],
  );
  await query("SELECT pg_notify('grants', '')");
  return token;
}
