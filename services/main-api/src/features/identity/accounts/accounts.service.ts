import { seesDivision, type DivisionId, type TenantId, type UserId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf } from '@sluice/http';
import { fieldProblem } from '@sluice/service';
import { changeOf, changesTo } from '../../../changes.ts';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import type { operations } from '../../../generated/api.ts';
import { exportKeys } from '@sluice/main-store/api-keys.store';
import { findDivision } from '@sluice/main-store/divisions.store';
import { exportIdentities } from '@sluice/main-store/identities.store';
import { exportInvitations } from '@sluice/main-store/invitations.store';
import { exportJoinRequests } from '../../organization/join-requests/join-requests.store.ts';
import { exportMemberships } from '@sluice/main-store/members.store';
import { exportSessions } from '@sluice/main-store/sessions.store';
import { type UserRow, getUser, lockUsers, updateSettings } from '@sluice/main-store/users.store';
import { rightsOfMember } from '@sluice/grant-publication/session-grants';

export type AccountsService = ReturnType<typeof accountsService>;
type SettingsInput = BodyOf<operations['updateAccountSettings']>;

/** What people see and set of their own account (interface, 1.6 and 1.7). */
export function accountsService({ database, work, now }: Pick<Core, 'database' | 'work' | 'now'>) {
  return {
    get: ({ user }: Caller) => getUser(database, user.id),

    updateSettings: (caller: Caller, input: SettingsInput) =>
      work(caller, async (tx) => {
        const { id } = caller.user;
        await lockUsers(tx, [id]);
        const user = await getUser(tx, id);
        const settings = await checkedSettings(tx, user, input);
        await updateSettings(tx, id, settings);
        recordInTenantsConcerned(tx, user, settings);
      }),

    /** Everything that is held about the user, without anything that could be used as a credential. */
    async export({ user: { id } }: Caller) {
      const user = await getUser(database, id);
      return {
        user,
        exportedAt: now(),
        identities: await exportIdentities(database, id),
        sessions: await exportSessions(database, id),
        memberships: await exportMemberships(database, id),
        api_keys: await exportKeys(database, id),
        invitations: await exportInvitations(database, id),
        join_requests: await exportJoinRequests(database, id),
      };
    },
  };
}

type Defaults = Pick<UserRow, 'default_tenant_id' | 'default_division_id'>;

/** The tenants that were or are a user's default hear of it, and of no tenant but themselves. */
function recordInTenantsConcerned(tx: Transaction, user: UserRow, settings: Defaults): void {
  const shownTo = (tenant: TenantId, of: Defaults): Defaults =>
    of.default_tenant_id === tenant
      ? { default_tenant_id: tenant, default_division_id: of.default_division_id }
      : { default_tenant_id: null, default_division_id: null };
  const { id, name } = user;
  for (const tenant_id of new Set([user.default_tenant_id, settings.default_tenant_id])) {
    if (tenant_id === null) continue;
    const former = shownTo(tenant_id, user);
    const changes = changesTo<Defaults>(
      former,
      shownTo(tenant_id, settings),
      Object.keys(former) as (keyof Defaults)[],
    );
    if (Object.keys(changes).length === 0) continue;
    tx.emit('account_settings_updated', { tenant_id, user: { id, name } }, changeOf(former, changes));
  }
}

async function checkedSettings(tx: Transaction, user: UserRow, input: SettingsInput) {
  const tenant = input.default_tenant_id === undefined ? user.default_tenant_id : input.default_tenant_id;
  const kept = tenant === user.default_tenant_id ? user.default_division_id : null;
  const division = input.default_division_id === undefined ? kept : input.default_division_id;
  if (input.default_tenant_id) await requireSeen(tx, user.id, input.default_tenant_id);
  if (input.default_division_id) {
    if (tenant === null) throw fieldProblem('default_division_id', 'not_together', 'needs a default tenant');
    await requireSeen(tx, user.id, tenant, input.default_division_id);
  }
  return { default_tenant_id: tenant, default_division_id: division };
}

async function requireSeen(
  tx: Transaction,
  userId: UserId,
  tenantId: TenantId,
  divisionId?: DivisionId,
): Promise<void> {
  const rights = await rightsOfMember(tx, userId, tenantId);
  if (!rights) throw fieldProblem('default_tenant_id', 'unknown', 'is no tenant of the user');
  if (divisionId === undefined) return;
  const division = await findDivision(tx, { tenant_id: tenantId, division_id: divisionId });
  if (!division || !seesDivision(rights, divisionId))
    throw fieldProblem('default_division_id', 'unknown', 'is no division of the default tenant');
}
