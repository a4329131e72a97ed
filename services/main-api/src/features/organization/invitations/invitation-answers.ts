import type { InvitationId, Ref, UserId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import {
  getInvitationTo,
  settleInvitation,
  type InvitationWithRoles,
} from '@sluice/main-store/invitations.store';
import { lockTenant } from '@sluice/main-store/tenants.store';
import { lockUsers } from '@sluice/main-store/users.store';
import { addMember } from '../members/membership.ts';
import { isWithdrawn } from './invitation-standing.ts';

/**
 * Makes a user a member of the tenant that has invited them, with the roles of the invitation that still exist. Locks
 * the tenant and the user: until this transaction ends, the rights of its maker stay.
 * @throws Problem `not_found` when the invitation is for another person; `invitation_expired`, `invitation_withdrawn`,
 *   `state_conflict`, `already_member`, `limit_reached`
 */
export async function acceptInvitation(
  tx: Transaction,
  core: Pick<Core, 'catalogue' | 'now'>,
  invitee: Ref<UserId>,
  id: InvitationId,
): Promise<InvitationWithRoles> {
  const { invitation, tenant } = await settle(tx, core, invitee, id, 'accepted');
  if (isWithdrawn(invitation)) throw problem('invitation_withdrawn');
  const roleIds = invitation.roles.map((role) => role.id);
  await addMember(tx, core, tenant, invitee.id, roleIds);
  tx.emit('invitation_accepted', aboutOf(invitation, invitee), contentOf(invitation, tenant));
  return invitation;
}

/** Locks the tenant and the user. @throws Problem `not_found`, `invitation_expired`, `state_conflict` */
export async function rejectInvitation(
  tx: Transaction,
  core: Pick<Core, 'now'>,
  invitee: Ref<UserId>,
  id: InvitationId,
): Promise<InvitationWithRoles> {
  const { invitation, tenant } = await settle(tx, core, invitee, id, 'rejected');
  tx.emit('invitation_rejected', aboutOf(invitation, invitee), contentOf(invitation, tenant));
  return invitation;
}

async function settle(
  tx: Transaction,
  { now }: Pick<Core, 'now'>,
  invitee: Ref<UserId>,
  id: InvitationId,
  status: 'accepted' | 'rejected',
) {
  const { tenant_id } = await getInvitationTo(tx, invitee.id, id);
  const tenant = await lockTenant(tx, tenant_id);
  // read again: what was true before the locks may be over, and no identity is unlinked while the user is locked
  await lockUsers(tx, [invitee.id]);
  const invitation = await getInvitationTo(tx, invitee.id, id);
  if (await settleInvitation(tx, id, status, now())) return { invitation, tenant };
  if (invitation.status === 'pending') throw problem('invitation_expired');
  throw problem('state_conflict', { detail: 'The invitation has been answered.' });
}

const aboutOf = ({ tenant_id }: InvitationWithRoles, { id, name }: Ref<UserId>) => ({
  tenant_id,
  user: { id, name },
});
const contentOf = ({ email, roles }: InvitationWithRoles, tenant: { name: string }) => ({
  email,
  roles: roles.map(({ name }) => name),
  tenant: tenant.name,
});
