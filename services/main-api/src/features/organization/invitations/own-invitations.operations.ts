import { noContent, ok, type Handlers } from '@sluice/http';
import type { operations } from '../../../generated/api.ts';
import { invitationView } from './invitations.operations.ts';
import type { OwnInvitationsService } from './own-invitations.service.ts';

export function ownInvitationsOperations(invitations: OwnInvitationsService, now: () => Date) {
  return {
    async listOwnInvitations({ caller }) {
      const at = now();
      return ok(
        (await invitations.list(caller)).map((row) => ({
          ...invitationView(row, at),
          tenant: { id: row.tenant_id, name: row.tenant_name },
        })),
      );
    },

    async acceptInvitation({ caller, params }) {
      await invitations.accept(caller, params);
      return noContent();
    },

    async rejectInvitation({ caller, params }) {
      await invitations.reject(caller, params);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}
