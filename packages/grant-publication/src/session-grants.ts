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
import type { Database, Transaction } from '@sluice/main-store/database';
import { listMembershipRights, type MembershipRights } from '@sluice/main-store/members.store';
import { batches } from '@sluice/main-store/rows';
import {
  listLiveSessions,
  listSessionsOfUsers,
  lockSessions,
  type EndedSession,
  type SessionWithUser,
} from '@sluice/main-store/sessions.store';
import { lockRightsOf } from '@sluice/main-store/tenants.store';
import { lockUsers } from '@sluice/main-store/users.store';
import { compiledRole } from './compiled-role.ts';
import type { Renewing } from './key-grants.ts';

const ownGrant = ({ user_id, user_name, ends_at }: SessionWithUser): Grant => ({
  tenant_id: noTenant,
  user: { id: user_id, name: user_name },
  api_key: null,
  owner: false,
  permissions: noPermissions,
  division_id: null,
  allowed_ips: null,
  expires_at: ends_at.toISOString(),
});

/** What a session may do in a tenant: everything that its user's roles grant there. Null: nothing. */
function grantIn(session: SessionWithUser, membership: MembershipRights | undefined): Grant | null {
  if (!membership?.active) return null;
  const { tenant_id, owner, external_id, roles } = membership;
  return { ...ownGrant(session), tenant_id, owner, external_id, permissions: unite(roles.map(compiledRole)) };
}

export async function rightsOfMember(
  db: Database,
  userId: UserId,
  tenantId: TenantId,
): Promise<CompiledPermissions | undefined> {
  const [membership] = await listMembershipRights(db, [userId], tenantId);
  return membership?.active ? unite(membership.roles.map(compiledRole)) : undefined;
}

const grantsOf = (session: SessionWithUser, memberships: MembershipRights[]): Map<string, Grant | null> =>
  new Map([
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

export async function renewSessionGrants({ database, work, now }: Renewing): Promise<void> {
  const list = (after: SessionId) => listLiveSessions(database, now(), after, batchSize);
  for await (const batch of batches(idOf<SessionId>(0), list, ({ id }) => id))
    await work(system, async (tx) => {
      const users = [...new Set(batch.map(({ user_id }) => user_id))];
      await lockRightsOf(tx, users);
      await lockUsers(tx, users);
      const ids = batch.map(({ id }) => id);
      const sessions = await lockSessions(tx, ids);
      const memberships = await listMembershipRights(tx, users, null);
      await tx.setGrants(sessions.flatMap((session) => [...grantsOf(session, memberships)]));
    });
}
