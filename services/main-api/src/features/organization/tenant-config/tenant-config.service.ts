import type { Caller } from '@sluice/grants';
import type { BodyOf } from '@sluice/http';
import { problem } from '@sluice/service';
import { changeOf, changesTo, type Check } from '../../../changes.ts';
import type { Core } from '../../../core.ts';
import type { operations } from '../../../generated/api.ts';
import {
  type TenantPath,
  type TenantRow,
  getTenant,
  lockTenant,
  updateTenant,
} from '@sluice/main-store/tenants.store';

type TenantConfig = BodyOf<operations['replaceTenantConfig']>;
export type TenantConfigService = ReturnType<typeof tenantConfigService>;

/** How people come into a tenant (interface, 2.2 and 4.1). */
export function tenantConfigService({ database, work }: Pick<Core, 'database' | 'work'>) {
  return {
    get: ({ tenant_id }: TenantPath) => getTenant(database, tenant_id),

    replace: (caller: Caller, { tenant_id }: TenantPath, wanted: TenantConfig, check: Check<TenantRow>) =>
      work(caller, async (tx) => {
        await lockTenant(tx, tenant_id);
        const tenant = await getTenant(tx, tenant_id);
        check(tenant);
        const locks = wanted.block_external_invitations || wanted.enforce_domain_only_invitations;
        if (locks && tenant.email_domain === null) throw problem('tenant_has_no_email_domain');
        const changes = changesTo<TenantConfig>(tenant, wanted);
        if (Object.keys(changes).length === 0) return;
        await updateTenant(tx, tenant_id, changes);
        const data = { ...changeOf<TenantConfig>(tenant, changes), tenant: tenant.name };
        tx.emit('tenant_config_updated', { tenant_id }, data);
      }),
  };
}
