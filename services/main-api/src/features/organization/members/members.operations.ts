import { permissionCatalogue } from '@sluice/contracts';
import { done, ok, paged, shown, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { Member } from '@sluice/main-store/members.store';
import type { MembersService } from './members.service.ts';

export function membersOperations(members: MembersService) {
  return {
    listMembers: ({ params, query, url }) =>
      paged({ query, url }, (page) => members.list(params, page), memberView),

    async listGrantablePermissions() {
      const { tenant, division, environment } = permissionCatalogue;
      return ok({ tenant: [...tenant], division: [...division], environment: [...environment] });
    },

    updateMember: ({ caller, params, body }) => done(members.update(caller, params, body)),
    deleteMember: ({ caller, params }) => done(members.delete(caller, params)),
    listRoleMembers: ({ params, query, url }) =>
      paged({ query, url }, (page) => members.listOfRole(params, page), memberView),
    assignRole: ({ caller, params, body }) => done(members.assign(caller, params, body)),
    revokeRole: ({ caller, params, body }) => done(members.revoke(caller, params, body)),
  } satisfies Partial<Handlers<operations>>;
}

const memberView = (member: Member): components['schemas']['Member'] => ({
  ...shown(member, 'id', 'email', 'name', 'active'),
  roles: member.roles.map(({ name }) => name),
  role_ids: member.roles.map(({ id }) => id),
  created_at: member.created_at.toISOString(),
});
