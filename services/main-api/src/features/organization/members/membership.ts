import type { RoleId, TenantId, UserId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { featuresOf, requireRoom } from '@sluice/catalogue/features';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import {
  countMembers,
  deleteMember,
  insertMember,
  isMember,
  type Member,
} from '@sluice/main-store/members.store';
import type { TenantTerms } from '@sluice/main-store/tenants.store';
import { clearDefaults } from '@sluice/main-store/users.store';
import { deleteKeysAndGrants } from '../../access/api-keys/key-deletion.ts';
import { republishGrantsOf } from '@sluice/grant-publication/republish';
import { requireAccountRoom } from './account-limits.ts';

/** Makes a user a member of a locked tenant. @throws Problem `already_member`, `limit_reached` */
export async function addMember(
  tx: Transaction,
  { catalogue }: Pick<Core, 'catalogue'>,
  tenant: TenantTerms,
  userId: UserId,
  roleIds: readonly RoleId[],
): Promise<void> {
  if (await isMember(tx, tenant.id, userId)) throw problem('already_member');
  requireRoom(featuresOf(catalogue, tenant), 'members_limit', await countMembers(tx, tenant.id));
  await requireAccountRoom(tx, userId, 'memberships');
  await insertMember(tx, tenant.id, userId, roleIds);
  await republishGrantsOf(tx, tenant.id, [userId]);
}

/** Ends a membership of a locked tenant: its roles go with it, and all keys that act as the user in the tenant. */
export async function endMembership(
  tx: Transaction,
  tenantId: TenantId,
  { id, membership_id }: Pick<Member, 'id' | 'membership_id'>,
): Promise<void> {
  await deleteKeysAndGrants(tx, { tenant_id: tenantId, user_id: id });
  await deleteMember(tx, membership_id);
  await clearDefaults(tx, id, tenantId);
  await republishGrantsOf(tx, tenantId, [id]);
}
