import { permissionCatalogue } from '@sluice/contracts';
import { listed, noContent, ok, pageOf, type Handlers } from '@sluice/service-kit';
import type { components, operations } from '../../../generated/api.ts';
import type { Member } from '../../../stores/members.store.ts';
import type { MembersService } from './members.service.ts';

export function memberOperations(members: MembersService) {
  return {
    async listMembers({ params, query, url }) {
      const page = pageOf(query);
      const [rows, total] = await members.list(params.tenant_id, page);
      return listed(url, page, rows.map(memberBody), total);
    },

    async listGrantablePermissions() {
      const { tenant, division, environment } = permissionCatalogue;
      return ok({ tenant: [...tenant], division: [...division], environment: [...environment] });
    },

    async updateMember(call) {
      await members.update(call.caller, call.params.tenant_id, call.params.member_id, call.body);
      return noContent();
    },

    async deleteMember(call) {
      await members.delete(call.caller, call.params.tenant_id, call.params.member_id);
      return noContent();
    },

    async listRoleMembers({ params, query, url }) {
      const page = pageOf(query);
      const [rows, total] = await members.listOfRole(params.tenant_id, params.role_id, page);
      return listed(url, page, rows.map(memberBody), total);
    },

    async assignRole(call) {
      const { tenant_id, role_id } = call.params;
      await members.assign(call.caller, tenant_id, role_id, call.body.members);
      return noContent();
    },

    async revokeRole(call) {
      const { tenant_id, role_id } = call.params;
      await members.revoke(call.caller, tenant_id, role_id, call.body.members);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

function memberBody(member: Member): components['schemas']['Member'] {
  return {
    id: member.id,
    email: member.email,
    name: member.name,
    active: member.active,
    roles: member.roles.map(({ name }) => name),
    created_at: member.created_at.toISOString(),
  };
}
