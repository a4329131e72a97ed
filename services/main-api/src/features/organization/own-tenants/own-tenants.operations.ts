import type { UserId } from '@sluice/contracts';
import { created, done, paged, shown, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { OwnTenant } from '@sluice/main-store/tenants.store';
import type { OwnTenantsService } from './own-tenants.service.ts';

export function ownTenantsOperations(tenants: OwnTenantsService) {
  return {
    listOwnTenants: ({ caller, query, url }) =>
      paged(
        { query, url },
        (page) => tenants.list(caller, page),
        (tenant) => tenantView(tenant, caller.user.id),
      ),

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
  ...shown(tenant, 'id', 'name', 'description', 'email', 'active', 'created_at', 'updated_at'),
  owner: tenant.owner_id === userId,
  has_custom_email_domain: tenant.email_domain !== null,
});
