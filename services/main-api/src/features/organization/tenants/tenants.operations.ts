import { noContent, ok, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import { subscriptionView } from '../subscription/subscription.operations.ts';
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
  hasPayment,
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
    subscription: subscriptionView(subscription),
    starter_available: starterAvailable,
    has_payment_method: hasPayment,
    has_custom_email_domain: tenant.email_domain !== null,
  };
}
