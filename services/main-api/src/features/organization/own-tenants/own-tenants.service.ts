import type { Ref, UserId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf, Page } from '@sluice/http';
import { problem } from '@sluice/service';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import type { operations } from '../../../generated/api.ts';
import type { DivisionRow } from '@sluice/main-store/divisions.store';
import { findCorporateDomain } from '@sluice/main-store/identities.store';
import { getMember } from '@sluice/main-store/members.store';
import { type TenantPath, type TenantRow, listTenantsOf, lockTenant } from '@sluice/main-store/tenants.store';
import { getUser } from '@sluice/main-store/users.store';
import { republishGrantsOf } from '@sluice/grant-publication/republish';
import { addDivision } from '../divisions/divisions.service.ts';
import { requireAccountRoom } from '../members/account-limits.ts';
import { endMembership } from '../members/membership.ts';
import { publishFeatures } from '../subscription/plan-features.ts';
import { createTenant } from '../tenants/tenant-creation.ts';

type TenantInput = BodyOf<operations['createTenant']>;
export type OwnTenantsService = ReturnType<typeof ownTenantsService>;

/**
 * Creates a tenant of a user's, with its first division (interface, 1.5 and 2.2).
 * @throws Problem `limit_reached`, `domain_claimed`
 */
export async function createOwnTenant(
  tx: Transaction,
  core: Pick<Core, 'catalogue' | 'now'>,
  user: Ref<UserId>,
  { name, description, email, division }: TenantInput,
): Promise<{ tenant: TenantRow; division: DivisionRow }> {
  await requireAccountRoom(tx, user.id, 'tenants');
  await requireAccountRoom(tx, user.id, 'memberships');
  // no identity is unlinked meanwhile: the user is locked
  const domain = await findCorporateDomain(tx, user.id);
  const tenant = await createTenant(tx, {
    name,
    description,
    email: email ?? (await getUser(tx, user.id)).email,
    owner: { id: user.id, name: user.name },
    claim: domain === null ? null : { domain, at: core.now() },
  });
  const terms = await lockTenant(tx, tenant.id);
  await publishFeatures(tx, core, terms);
  const first = await addDivision(tx, core, terms, { name: division ?? 'default' });
  await republishGrantsOf(tx, tenant.id, [user.id]);
  return { tenant, division: first };
}

/** The tenants of a person who is signed in. */
export function ownTenantsService(core: Core) {
  const { database, work } = core;
  return {
    list: ({ user }: Caller, page: Page) => listTenantsOf(database, user.id, page),

    create: (caller: Caller, input: TenantInput) =>
      work(caller, (tx) => createOwnTenant(tx, core, caller.user, input)),

    leave: (caller: Caller, { tenant_id }: TenantPath) =>
      work(caller, async (tx) => {
        const tenant = await lockTenant(tx, tenant_id);
        const { user } = caller;
        if (tenant.owner_id === user.id) throw problem('owner_cannot_leave');
        const member = await getMember(tx, tenant_id, user.id);
        await endMembership(tx, tenant_id, member);
        tx.emit('member_left', { tenant_id, user }, { email: member.email });
      }),
  };
}
