import { done, ok, shown, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import { subscriptionView } from '../subscription/subscription.operations.ts';
import type { TenantsService } from './tenants.service.ts';

export const tenantsOperations = (tenants: TenantsService) =>
  ({
    getTenant: async ({ params }) => ok(tenantView(await tenants.get(params))),
    updateTenant: ({ caller, params, body, ifMatch }) =>
      done(tenants.update(caller, params, body, (detail) => ifMatch(() => tenantView(detail)))),
    deleteTenant: ({ caller, params, query }) => done(tenants.delete(caller, params, query.code)),
  }) satisfies Partial<Handlers<operations>>;

const tenantView = ({
  tenant,
  subscription,
  features,
  starterAvailable,
  hasPayment,
}: Awaited<ReturnType<TenantsService['get']>>): components['schemas']['Tenant'] => ({
  ...shown(tenant, 'id', 'name', 'description', 'email', 'protected', 'created_at', 'updated_at'),
  features,
  subscription: subscriptionView(subscription),
  starter_available: starterAvailable,
  has_payment_method: hasPayment,
  has_custom_email_domain: tenant.email_domain !== null,
});
