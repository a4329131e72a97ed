import { created, listed, noContent, ok, pageOf, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { InvitationWithRoles } from '../../../stores/invitations.store.ts';
import { standingOf } from './invitation-standing.ts';
import type { InvitationsService } from './invitations.service.ts';

export function invitationsOperations(invitations: InvitationsService, now: () => Date) {
  return {
    async listInvitations({ params, query, url }) {
      const page = pageOf(query);
      const [rows, total] = await invitations.list(params, page);
      const bodies = rows.map((row) => invitationView(row, now()));
      return listed(url, page, bodies, total);
    },

    async getInvitation({ params }) {
      return ok(invitationView(await invitations.get(params), now()));
    },

    async createInvitation({ caller, params, body }) {
      const row = await invitations.create(caller, params, body);
      const location = `/tenants/${params.tenant_id}/invitations/${row.id}`;
      return created('invitation', location, invitationView(row, now()));
    },

    async deleteInvitation({ caller, params }) {
      await invitations.delete(caller, params);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

/** An invitation as its tenant and its invitee see it at `now`. */
export function invitationView(row: InvitationWithRoles, now: Date): components['schemas']['Invitation'] {
  return {
    id: row.id,
    email: row.email,
    status: standingOf(row, now),
    roles: row.roles.map(({ name }) => name),
    invited_by: row.invited_by,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
    mail_failure: row.mail_failure,
  };
}
