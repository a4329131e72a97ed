import { noContent, ok, type Handlers } from '@sluice/service-kit';
import { callerOf } from '../../core.ts';
import type { operations } from '../../generated/api.ts';
import { invitationBody } from '../invitations/invitations.operations.ts';
import type { OwnInvitationsService } from './own-invitations.service.ts';

type OwnInvitationOperations = Handlers<
  operations,
  'listOwnInvitations' | 'acceptInvitation' | 'rejectInvitation'
>;

export function ownInvitationOperations(
  invitations: OwnInvitationsService,
  now: () => Date,
): OwnInvitationOperations {
  return {
    async listOwnInvitations({ principal }) {
      const at = now();
      return ok(
        (await invitations.list(principal)).map((row) => ({
          ...invitationBody(row, at),
          tenant: { id: row.tenant_id, name: row.tenant_name },
        })),
      );
    },

    async acceptInvitation(call) {
      await invitations.accept(callerOf(call), call.params.invitation_id);
      return noContent();
    },

    async rejectInvitation(call) {
      await invitations.reject(callerOf(call), call.params.invitation_id);
      return noContent();
    },
  };
}
