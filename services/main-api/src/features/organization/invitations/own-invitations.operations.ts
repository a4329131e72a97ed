import { ok, type Handlers } from '@sluice/http';
import { done } from '../../../answers.ts';
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

    acceptInvitation: ({ caller, params }) => done(invitations.accept(caller, params)),
    rejectInvitation: ({ caller, params }) => done(invitations.reject(caller, params)),
  } satisfies Partial<Handlers<operations>>;
}
