import { done, ok, shown, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { TenantRow } from '@sluice/main-store/tenants.store';
import type { TenantConfigService } from './tenant-config.service.ts';

export const tenantConfigOperations = (config: TenantConfigService) =>
  ({
    getTenantConfig: async ({ params }) => ok(configView(await config.get(params))),
    replaceTenantConfig: ({ caller, params, body, ifMatch }) =>
      done(config.replace(caller, params, body, (tenant) => ifMatch(() => configView(tenant)))),
  }) satisfies Partial<Handlers<operations>>;

function configView(tenant: TenantRow): components['schemas']['TenantConfig'] {
  const { email_domain, email_domain_verified_at } = tenant;
  return {
    ...shown(tenant, 'join_policy', 'block_external_invitations', 'enforce_domain_only_invitations'),
    ...(email_domain !== null && { email_domain }),
    ...(email_domain_verified_at !== null && {
      email_domain_verified_at: email_domain_verified_at.toISOString(),
    }),
  };
}
