import { noContent, ok, type Handlers } from '@sluice/http';
import type { components, operations } from '../../../generated/api.ts';
import type { TenantRow } from '../../../stores/tenants.entity.ts';
import type { TenantConfigService } from './tenant-config.service.ts';

export function tenantConfigOperations(config: TenantConfigService) {
  return {
    async getTenantConfig({ params }) {
      return ok(configView(await config.get(params)));
    },

    async replaceTenantConfig({ caller, params, body }) {
      await config.replace(caller, params, body);
      return noContent();
    },
  } satisfies Partial<Handlers<operations>>;
}

function configView(tenant: TenantRow): components['schemas']['TenantConfig'] {
  const { email_domain, email_domain_verified_at } = tenant;
  return {
    join_policy: tenant.join_policy,
    block_external_invitations: tenant.block_external_invitations,
    enforce_domain_only_invitations: tenant.enforce_domain_only_invitations,
    ...(email_domain !== null && { email_domain }),
    ...(email_domain_verified_at !== null && {
      email_domain_verified_at: email_domain_verified_at.toISOString(),
    }),
  };
}
