import { isDeepStrictEqual } from 'node:util';
import {
  noPermissions,
  noTenant,
  sessionGrantKey,
  unite,
  type CompiledPermissions,
  type Grant,
  type SessionId,
  type TenantId,
  type UserId,
} from '@sluice/contracts';
import { system, type ServiceRuntime, type Log } from '@sluice/service-kit';
import type { Core } from '../../../core.ts';
import type { Database, Transaction } from '../../../database.ts';
import { listMembershipRights, type MembershipRights } from '../../../stores/members.store.ts';
import {
  listLiveSessions,
  listSessionsOfUsers,
  lockSession,
  type EndedSession,
  type SessionWithUser,
} from '../../../stores/sessions.store.ts';
import { lockRightsOf } from '../../../stores/tenants.store.ts';
import { lockUser } from '../../../stores/users.store.ts';
import { compiledRole } from './compiled-role.ts';

/** What a session says of itself: who is signed in, and until when. */
function ownGrant({ user_id, user_name, ends_at }: SessionWithUser): Grant {
  return {
    tenant_id: noTenant,
    user: { id: user_id, name: user_name },
    api_key: null,
    owner: false,
    permissions: noPermissions,
    division_id: null,
    allowed_ips: null,
    expires_at: ends_at.toISOString(),
  };
}

/** What a session may do in a tenant: everything that its user's roles grant there. Null: nothing. */
function grantIn(session: SessionWithUser, membership: MembershipRights | undefined): Grant | null {
  if (!membership?.active) return null;
  const { tenant_id, owner, roles } = membership;
  return { ...ownGrant(session), tenant_id, owner, permissions: unite(roles.map(compiledRole)) };
}

/** What a user may do in a tenant; undefined when they are no active member of it. */
export async function rightsOfMember(
  db: Database,
  userId: UserId,
  tenantId: TenantId,
): Promise<CompiledPermissions | undefined> {
  const [membership] = await listMembershipRights(db, [userId], tenantId);
  return membership?.active ? unite(membership.roles.map(compiledRole)) : undefined;
}

function grantsOf(session: SessionWithUser, memberships: MembershipRights[]): Map<string, Grant | null> {
  return new Map([
    [session.token_sha256, ownGrant(session)],
    ...memberships
      .filter(({ user_id }) => user_id === session.user_id)
      .map(
        (membership) =>
          [
            sessionGrantKey(session.token_sha256, membership.tenant_id),
            grantIn(session, membership),
          ] as const,
      ),
  ]);
}

/** Publishes all grants of one session, with the rights that its user has when the transaction ends. */
export async function publishSession(tx: Transaction, id: SessionId, userId: UserId): Promise<void> {
  await lockRightsOf(tx, userId);
  await lockUser(tx, userId);
  const session = await lockSession(tx, id);
  if (!session) return;
  for (const [key, grant] of grantsOf(session, await listMembershipRights(tx, [userId], null)))
    tx.grant(key, grant);
}

/** Publishes what the sessions of these users may do in a locked tenant; nothing, where the membership is gone. */
export async function publishMemberSessions(
  tx: Transaction,
  tenantId: TenantId,
  userIds: readonly UserId[],
): Promise<void> {
  const memberships = new Map(
    (await listMembershipRights(tx, userIds, tenantId)).map((membership) => [membership.user_id, membership]),
  );
  for (const session of await listSessionsOfUsers(tx, userIds))
    tx.grant(
      sessionGrantKey(session.token_sha256, tenantId),
      grantIn(session, memberships.get(session.user_id)),
    );
}

/** Takes the grants of sessions away that were deleted. */
export async function withdrawSessions(tx: Transaction, ended: EndedSession[]): Promise<void> {
  const users = [...new Set(ended.map(({ user_id }) => user_id))];
  const memberships = Map.groupBy(await listMembershipRights(tx, users, null), ({ user_id }) => user_id);
  for (const { token_sha256, user_id } of ended) {
    tx.grant(token_sha256, null);
    for (const { tenant_id } of memberships.get(user_id) ?? [])
      tx.grant(sessionGrantKey(token_sha256, tenant_id), null);
  }
}

/** As for keys: publishes the grants of sessions that NATS lacks or has otherwise than they should be. */
export async function republishSessionGrants(
  { database, work, now }: Pick<Core, 'database' | 'work' | 'now'>,
  published: Pick<ServiceRuntime['grants'], 'find'>,
  log: Log,
): Promise<void> {
  const sessions = await listLiveSessions(database, now());
  const users = [...new Set(sessions.map(({ user_id }) => user_id))];
  const memberships = Map.groupBy(
    await listMembershipRights(database, users, null),
    ({ user_id }) => user_id,
  );
  const stale = sessions.filter((session) =>
    [...grantsOf(session, memberships.get(session.user_id) ?? [])].some(
      ([key, grant]) => !isDeepStrictEqual(published.find(key) ?? null, grant),
    ),
  );
  if (stale.length === 0) return;
  log.warn('grants of sessions are missing or out of date; they are published again', {
    count: stale.length,
  });
  for (const { id, user_id } of stale) await work(system, (tx) => publishSession(tx, id, user_id));
}
