import { created, listed, noContent, pageOf, type Handlers } from '@sluice/service-kit';
import type { components, operations } from '../../../generated/api.ts';
import type { InvitationWithRoles } from '../../../stores/invitations.store.ts';
import type { InvitationsService } from './invitations.service.ts';

export function invitationOperations(invitations: InvitationsService, now: () => Date) {
  return {
    async listInvitations({ params, query, url }) {
      const page = pageOf(query);
      const [rows, total] = await invitations.list(params.tenant_id, page);
      const bodies = rows.map((row) => invitationBody(row, now()));
      return listed(url, page, bodies, total);
    },

    async createInvitation(call) {
      const { tenant_id } = call.params;
      const row = await invitations.create(call.caller, tenant_id, call.body);
      const body = invitationBody(row, now());
      return created('invitation', `/tenants/${tenant_id}/invitations/${row.id}`, body);
    },

    async deleteInvitation(call) {
      await invitations.delete(call.caller, call.params.tenant_id, call.params.invitation_id);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

/** An invitation as its tenant and its invitee see it at `now`. */
export function invitationBody(row: InvitationWithRoles, now: Date): components['schemas']['Invitation'] {
  return {
    id: row.id,
    email: row.email,
    status: row.status === 'pending' && row.expires_at <= now ? 'expired' : row.status,
    roles: row.roles.map(({ name }) => name),
    invited_by: row.invited_by,
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at.toISOString(),
  };
}
