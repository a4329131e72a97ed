import { noContent, ok, type Handlers } from '@sluice/service-kit';
import type { operations } from '../../../generated/api.ts';
import { invitationBody } from './invitations.operations.ts';
import type { OwnInvitationsService } from './own-invitations.service.ts';

export function ownInvitationOperations(invitations: OwnInvitationsService, now: () => Date) {
  return {
    async listOwnInvitations({ caller }) {
      const at = now();
      return ok(
        (await invitations.list(caller)).map((row) => ({
          ...invitationBody(row, at),
          tenant: { id: row.tenant_id, name: row.tenant_name },
        })),
      );
    },

    async acceptInvitation(call) {
      await invitations.accept(call.caller, call.params.invitation_id);
      return noContent();
    },

    async rejectInvitation(call) {
      await invitations.reject(call.caller, call.params.invitation_id);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}
