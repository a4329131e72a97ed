import { allows, includes, unite } from '@sluice/contracts';
import type { components } from '../../../generated/api.ts';
import type { InvitationWithRoles } from '@sluice/main-store/invitations.store';
import { compiledRole } from '@sluice/grant-publication/compiled-role';

/**
 * Whether an invitation gives what its maker could not give any more: they are no active member now, may not
 * invite, or do not hold what it grants. It can stand again when they can.
 */
export function isWithdrawn({ roles, inviter_roles }: InvitationWithRoles): boolean {
  if (inviter_roles === null) return true;
  const held = unite(inviter_roles.map(compiledRole));
  return !allows(held, 'tenant', 'member:manage') || !includes(held, unite(roles.map(compiledRole)));
}

/** How an invitation is shown at `now`. */
export function standingOf(
  invitation: InvitationWithRoles,
  now: Date,
): components['schemas']['InvitationStatus'] {
  const { status, expires_at } = invitation;
  if (status === 'accepted' || status === 'rejected') return status;
  if (expires_at <= now) return 'expired';
  return isWithdrawn(invitation) ? 'withdrawn' : 'pending';
}
