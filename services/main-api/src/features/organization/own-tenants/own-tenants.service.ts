import type { TenantId } from '@sluice/contracts';
import { problem, type Page, type Caller } from '@sluice/service-kit';
import type { Core } from '../../../core.ts';
import type { Transaction } from '../../../database.ts';
import type { components } from '../../../generated/api.ts';
import { requireAccountRoom } from '../members/account-limits.ts';
import { findCorporateDomain, requireUser, type UserRow } from '../../../stores/users.store.ts';
import { republishGrantsOf } from '../../access/grants/key-grants.ts';
import type { DivisionRow } from '../../../stores/divisions.entity.ts';
import { addDivision } from '../divisions/divisions.service.ts';
import { findMembers } from '../../../stores/members.store.ts';
import { removeMember } from '../members/membership.ts';
import { foundTenant } from '../tenants/tenant-creation.ts';
import type { TenantRow } from '../../../stores/tenants.entity.ts';
import { lockTenant } from '../../../stores/tenants.store.ts';
import { listTenantsOf } from '../../../stores/own-tenants.store.ts';

export type TenantInput = components['schemas']['TenantInput'];
export type OwnTenantsService = ReturnType<typeof ownTenantsService>;

/**
 * Founds a tenant of a user's, with its first division (interface, 1.5 and 2.2).
 * @throws Problem `limit_reached`, `domain_claimed`
 */
export async function foundOwnTenant(
  tx: Transaction,
  core: Pick<Core, 'catalogue' | 'now'>,
  user: UserRow,
  { name, description, email, division }: TenantInput,
): Promise<{ tenant: TenantRow; division: DivisionRow }> {
  await requireAccountRoom(tx, user.id, 'tenants');
  await requireAccountRoom(tx, user.id, 'memberships');
  const domain = await findCorporateDomain(tx, user.id);
  const tenant = await foundTenant(tx, {
    name,
    description: description ?? null,
    email: email ?? user.email,
    owner: { id: user.id, name: user.name },
    claim: domain === null ? null : { domain, at: core.now() },
  });
  const first = await addDivision(tx, core, await lockTenant(tx, tenant.id), { name: division ?? 'default' });
  await republishGrantsOf(tx, tenant.id, [user.id]);
  return { tenant, division: first };
}

/** The tenants of a person who is signed in. */
export function ownTenantsService(core: Core) {
  const { database, work } = core;
  return {
    list: ({ user }: Caller, page: Page) => listTenantsOf(database, user.id, page),

    /** @throws Problem `limit_reached`, `domain_claimed` */
    create: (caller: Caller, input: TenantInput) =>
      work(caller, async (tx) => foundOwnTenant(tx, core, await requireUser(tx, caller.user.id), input)),

    /** @throws Problem `owner_cannot_leave`, `not_found` */
    leave: (caller: Caller, tenantId: TenantId) =>
      work(caller, async (tx) => {
        const tenant = await lockTenant(tx, tenantId);
        const { user } = caller;
        if (tenant.owner_id === user.id) throw problem('owner_cannot_leave');
        const [member] = await findMembers(tx, tenantId, [user.id]);
        if (!member) throw problem('not_found');
        await removeMember(tx, tenantId, member);
        tx.emit('member_left', { tenant_id: tenantId, user }, { email: member.email });
      }),
  };
}
