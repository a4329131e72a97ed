import { consoleLink, type TenantId, type UserId } from '@sluice/contracts';
import { featuresOf } from '@sluice/catalogue/features';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import { hasMailAllowance } from '../../../mails/mail-allowance.ts';
import { sendMail } from '../../../mails/mails.ts';
import { listVerifiedAddresses } from '@sluice/main-store/identities.store';
import { insertJoinRequest } from './join-requests.store.ts';
import { countMembers, isMember } from '@sluice/main-store/members.store';
import { findRoleByName } from '@sluice/main-store/roles.store';
import {
  findTenantByDomain,
  getTenant,
  lockTenant,
  type TenantTerms,
} from '@sluice/main-store/tenants.store';
import { type UserRow, getUser, lockUsers } from '@sluice/main-store/users.store';
import { addMember } from '../members/membership.ts';
import { registrableDomain } from '../tenants/email-domains.ts';

/** The role of those who join by their address. */
export const joinRole = 'viewer';

/** Makes a user a member of a locked tenant, with that role. @throws Problem `already_member`, `limit_reached` */
export async function join(
  tx: Transaction,
  core: Pick<Core, 'catalogue'>,
  tenant: TenantTerms,
  userId: UserId,
): Promise<void> {
  const role = await findRoleByName(tx, tenant.id, joinRole);
  if (!role) throw new Error('the tenant has no role viewer');
  await addMember(tx, core, tenant, userId, [role.id]);
}

const hasRoom = async (tx: Transaction, { catalogue }: Pick<Core, 'catalogue'>, tenant: TenantTerms) =>
  (await countMembers(tx, tenant.id)) < featuresOf(catalogue, tenant).members_limit;

/**
 * Whether a user, whom this locks, has a verified address of the domain that a tenant has claimed: they may have unlinked
 * the one by which they have asked to join.
 */
export async function hasAddressOfDomain(
  tx: Transaction,
  userId: UserId,
  tenantId: TenantId,
): Promise<boolean> {
  await lockUsers(tx, [userId]);
  const { email_domain } = await getTenant(tx, tenantId);
  const addresses = await listVerifiedAddresses(tx, userId);
  return addresses.some((address) => registrableDomain(address) === email_domain);
}

/**
 * What the tenant that has claimed the domain of a new user's verified address does with them (interface, 4.1, rule 3).
 * An open tenant without room asks its owner.
 */
export async function applyJoinPolicy(
  tx: Transaction,
  core: Pick<Core, 'catalogue' | 'mailCipher' | 'consoleUrl' | 'mailLimits' | 'now'>,
  user: UserRow,
): Promise<void> {
  const domain = registrableDomain(user.email);
  const claimant = domain === null ? null : await findTenantByDomain(tx, domain);
  if (!claimant) return;
  const { id } = claimant;
  const tenant = await lockTenant(tx, id);
  const { join_policy } = await getTenant(tx, id);
  if (join_policy === 'invite_only' || (await isMember(tx, id, user.id))) return;

  const about = { tenant_id: id, user: { id: user.id, name: user.name } };
  const owner = await getUser(tx, tenant.owner_id);
  const content = { tenant: tenant.name, name: user.name, email: user.email };
  // the owner finds it in the lists as well: who joins must not be kept from it by mails
  const mayMail = await hasMailAllowance(tx, core, id, owner.email);
  if (join_policy === 'open' && (await hasRoom(tx, core, tenant))) {
    await join(tx, core, tenant, user.id);
    tx.emit('member_joined', about, { email: user.email, roles: [joinRole], tenant: tenant.name });
    const url = consoleLink(core.consoleUrl, 'people', { tenant: id });
    if (mayMail)
      await sendMail(
        tx,
        core.mailCipher,
        'member_joined',
        owner.email,
        { ...content, url },
        { tenant_id: id },
      );
  } else {
    await insertJoinRequest(tx, id, user.id);
    tx.emit('tenant_join_requested', about, { email: user.email, tenant: tenant.name });
    const url = consoleLink(core.consoleUrl, 'joinRequests', { tenant: id });
    if (mayMail)
      await sendMail(
        tx,
        core.mailCipher,
        'join_requested',
        owner.email,
        { ...content, url },
        { tenant_id: id },
      );
  }
}
