import { noContent, ok, type Handlers } from '@sluice/service-kit';
import type { components, operations } from '../../../generated/api.ts';
import type { TenantsService } from './tenants.service.ts';

export function tenantsOperations(tenants: TenantsService) {
  return {
    async getTenant({ params }) {
      return ok(tenantView(await tenants.get(params)));
    },

    async updateTenant({ caller, params, body }) {
      await tenants.update(caller, params, body);
      return noContent();
    },

    async deleteTenant({ caller, params, query }) {
      await tenants.delete(caller, params, query.code);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

function tenantView({
  tenant,
  subscription,
  features,
  starterAvailable,
}: Awaited<ReturnType<TenantsService['get']>>): components['schemas']['Tenant'] {
  return {
    id: tenant.id,
    name: tenant.name,
    description: tenant.description,
    email: tenant.email,
    protected: tenant.protected,
    created_at: tenant.created_at.toISOString(),
    updated_at: tenant.updated_at.toISOString(),
    features,
    subscription: {
      id: subscription.id,
      plan: subscription.plan,
      active: subscription.active,
      created_at: subscription.created_at.toISOString(),
      valid_from: subscription.valid_from.toISOString(),
      valid_to: subscription.valid_to.toISOString(),
    },
    starter_available: starterAvailable,
    // no installation has a payment provider yet: all are on invoice by agreement
    has_payment_method: true,
    has_custom_email_domain: tenant.email_domain !== null,
  };
}
