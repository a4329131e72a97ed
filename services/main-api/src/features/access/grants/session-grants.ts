import {
  idOf,
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
import { system } from '@sluice/service';
import type { Database, Transaction } from '../../../database.ts';
import { listMembershipRights, type MembershipRights } from '../../../stores/members.store.ts';
import {
  listLiveSessions,
  listSessionsOfUsers,
  lockSessions,
  type EndedSession,
  type SessionWithUser,
} from '../../../stores/sessions.store.ts';
import { lockRightsOf } from '../../../stores/tenants.store.ts';
import { lockUsers } from '../../../stores/users.store.ts';
import { compiledRole } from './compiled-role.ts';
import type { Renewing } from './key-grants.ts';

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
  const { tenant_id, owner, external_id, roles } = membership;
  return { ...ownGrant(session), tenant_id, owner, external_id, permissions: unite(roles.map(compiledRole)) };
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
    [sessionGrantKey(noTenant, session.token_sha256), ownGrant(session)],
    ...memberships
      .filter(({ user_id }) => user_id === session.user_id)
      .map(
        (membership) =>
          [
            sessionGrantKey(membership.tenant_id, session.token_sha256),
            grantIn(session, membership),
          ] as const,
      ),
  ]);
}

/** Publishes all grants of one session, with the rights that its user has when the transaction ends. */
export async function publishSession(tx: Transaction, id: SessionId, userId: UserId): Promise<void> {
  await lockRightsOf(tx, [userId]);
  await lockUsers(tx, [userId]);
  const [session] = await lockSessions(tx, [id]);
  if (!session) return;
  await tx.setGrants(grantsOf(session, await listMembershipRights(tx, [userId], null)));
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
  const sessions = await listSessionsOfUsers(tx, userIds);
  await tx.setGrants(
    sessions.map((session) => [
      sessionGrantKey(tenantId, session.token_sha256),
      grantIn(session, memberships.get(session.user_id)),
    ]),
  );
}

/** Takes the grants of sessions away that were deleted. */
export async function withdrawSessions(tx: Transaction, ended: EndedSession[]): Promise<void> {
  const users = [...new Set(ended.map(({ user_id }) => user_id))];
  const memberships = Map.groupBy(await listMembershipRights(tx, users, null), ({ user_id }) => user_id);
  await tx.setGrants(
    ended.flatMap(({ token_sha256, user_id }) =>
      [noTenant, ...(memberships.get(user_id) ?? []).map(({ tenant_id }) => tenant_id)].map(
        (tenantId) => [sessionGrantKey(tenantId, token_sha256), null] as const,
      ),
    ),
  );
}

const batchSize = 500;

/** As for keys: says again what all sessions may do. */
export async function renewSessionGrants({ database, work, now }: Renewing): Promise<void> {
  for (let last = idOf<SessionId>(0); ;) {
    const batch = await listLiveSessions(database, now(), last, batchSize);
    const end = batch.at(-1);
    if (!end) return;
    last = end.id;
    await work(system, async (tx) => {
      const users = [...new Set(batch.map(({ user_id }) => user_id))];
      await lockRightsOf(tx, users);
      await lockUsers(tx, users);
      const sessions = await lockSessions(
        tx,
        batch.map(({ id }) => id),
      );
      const memberships = await listMembershipRights(tx, users, null);
      await tx.setGrants(sessions.flatMap((session) => [...grantsOf(session, memberships)]));
    });
  }
}
