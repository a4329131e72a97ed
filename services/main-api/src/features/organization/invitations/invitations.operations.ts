import { created, done, ok, paged, shown, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { InvitationWithRoles } from '@sluice/main-store/invitations.store';
import { standingOf } from './invitation-standing.ts';
import type { InvitationsService, OwnInvitationsService } from './invitations.service.ts';

export function invitationsOperations(invitations: InvitationsService, now: () => Date) {
  return {
    listInvitations: ({ params, query, url }) =>
      paged(
        { query, url },
        (page) => invitations.list(params, page),
        (row) => invitationView(row, now()),
      ),

    getInvitation: async ({ params }) => ok(invitationView(await invitations.get(params), now())),

    async createInvitation({ caller, params, body }) {
      const row = await invitations.create(caller, params, body);
      const location = `/tenants/${params.tenant_id}/invitations/${row.id}`;
      return created('invitation', location, invitationView(row, now()));
    },

    deleteInvitation: ({ caller, params }) => done(invitations.delete(caller, params)),
  } satisfies Partial<Handlers<operations>>;
}

const invitationView = (row: InvitationWithRoles, now: Date): components['schemas']['Invitation'] => ({
  id: row.id,
  email: row.email,
  status: standingOf(row, now),
  roles: row.roles.map(({ name }) => name),
  ...shown(row, 'invited_by', 'created_at', 'expires_at', 'mail_failure'),
});

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
