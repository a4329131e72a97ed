import type { UserId } from '@sluice/contracts';
import { created, listed, pageOf, type Handlers } from '@sluice/http';
import { done, shown } from '../../../answers.ts';
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

    leaveTenant: ({ caller, params }) => done(tenants.leave(caller, params)),
  } satisfies Partial<Handlers<operations>>;
}

const tenantView = (tenant: OwnTenant, userId: UserId): components['schemas']['OwnTenant'] => ({
  ...shown(tenant, 'id', 'name', 'description', 'email'),
  owner: tenant.owner_id === userId,
  active: tenant.active,
  has_custom_email_domain: tenant.email_domain !== null,
  created_at: tenant.created_at.toISOString(),
  updated_at: tenant.updated_at.toISOString(),
});
