import { seesDivision, type DivisionId, type TenantId, type UserId } from '@sluice/contracts';
import { fieldProblem, type Caller } from '@sluice/service-kit';
import type { Core } from '../../../core.ts';
import type { Transaction } from '../../../database.ts';
import { findDivision } from '../../../stores/divisions.store.ts';
import { rightsOfMember } from '../../access/grants/session-grants.ts';
import { lockUser } from '../../../stores/sessions.store.ts';
import { readAccountExport, requireUser, updateSettings, type UserRow } from '../../../stores/users.store.ts';

export type AccountsService = ReturnType<typeof accountsService>;

export interface SettingsInput {
  default_tenant_id?: TenantId | null;
  default_division_id?: DivisionId | null;
}

/** What people see and set of their own account (interface, 1.6 and 1.7). */
export function accountsService({ database, work, now }: Pick<Core, 'database' | 'work' | 'now'>) {
  return {
    get: ({ user }: Caller) => requireUser(database, user.id),

    /** @throws Problem `invalid_request` for what the user cannot see */
    updateSettings: (caller: Caller, input: SettingsInput) =>
      work(caller, async (tx) => {
        const { id } = caller.user;
        await lockUser(tx, id);
        await updateSettings(tx, id, await checkedSettings(tx, await requireUser(tx, id), input));
      }),

    /** Everything that is held about the user, without anything that could be used as a credential. */
    async export({ user: { id } }: Caller) {
      const user = await requireUser(database, id);
      return { user, exportedAt: now(), ...(await readAccountExport(database, user)) };
    },
  };
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
  const division = await findDivision(tx, tenantId, divisionId);
  if (!division || !seesDivision(rights, divisionId))
    throw fieldProblem('default_division_id', 'unknown', 'is no division of the default tenant');
}
