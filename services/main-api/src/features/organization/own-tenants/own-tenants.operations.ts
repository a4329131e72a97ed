import type { UserId } from '@sluice/contracts';
import { created, listed, noContent, pageOf, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { OwnTenant } from '../../../stores/tenants.store.ts';
import type { OwnTenantsService } from './own-tenants.service.ts';

export function ownTenantsOperations(tenants: OwnTenantsService) {
  return {
    async listOwnTenants({ caller, query, url }) {
      const page = pageOf(query);
      const [rows, total] = await tenants.list(caller, page);
      return listed(
        url,
        page,
        rows.map((tenant) => tenantView(tenant, caller.user.id)),
        total,
      );
    },

    async createTenant({ caller, body }) {
      const { tenant, division } = await tenants.create(caller, body);
      const own = tenantView({ ...tenant, active: true }, caller.user.id);
      const answer = created('tenant', `/tenants/${tenant.id}`, own);
      return { ...answer, headers: { ...answer.headers, 'svc-division': String(division.id) } };
    },

    async leaveTenant({ caller, params }) {
      await tenants.leave(caller, params);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

function tenantView(tenant: OwnTenant, userId: UserId): components['schemas']['OwnTenant'] {
  return {
    id: tenant.id,
    name: tenant.name,
    description: tenant.description,
    email: tenant.email,
    owner: tenant.owner_id === userId,
    active: tenant.active,
    has_custom_email_domain: tenant.email_domain !== null,
    created_at: tenant.created_at.toISOString(),
    updated_at: tenant.updated_at.toISOString(),
  };
}
