import { permissionCatalogue } from '@sluice/contracts';
import { listed, noContent, ok, pageOf, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { Member } from '../../../stores/members.store.ts';
import type { MembersService } from './members.service.ts';

export function membersOperations(members: MembersService) {
  return {
    async listMembers({ params, query, url }) {
      const page = pageOf(query);
      const [rows, total] = await members.list(params, page);
      return listed(url, page, rows.map(memberView), total);
    },

    async listGrantablePermissions() {
      const { tenant, division, environment } = permissionCatalogue;
      return ok({ tenant: [...tenant], division: [...division], environment: [...environment] });
    },

    async updateMember({ caller, params, body }) {
      await members.update(caller, params, body);
      return noContent();
    },

    async deleteMember({ caller, params }) {
      await members.delete(caller, params);
      return noContent();
    },

    async listRoleMembers({ params, query, url }) {
      const page = pageOf(query);
      const [rows, total] = await members.listOfRole(params, page);
      return listed(url, page, rows.map(memberView), total);
    },

    async assignRole({ caller, params, body }) {
      await members.assign(caller, params, body);
      return noContent();
    },

    async revokeRole({ caller, params, body }) {
      await members.revoke(caller, params, body);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

function memberView(member: Member): components['schemas']['Member'] {
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    active: member.active,
    roles: member.roles.map(({ name }) => name),
    created_at: member.created_at.toISOString(),
  };
}
