import type { TenantId } from '@sluice/contracts';
import { problem, type Caller } from '@sluice/service-kit';
import { changesTo } from '../../../changes.ts';
import type { Core } from '../../../core.ts';
import type { TenantRow } from '../../../stores/tenants.entity.ts';
import { getTenant, lockTenant, updateTenant } from '../../../stores/tenants.store.ts';

export type TenantConfig = Pick<
  TenantRow,
  'join_policy' | 'block_external_invitations' | 'enforce_domain_only_invitations'
>;
export type TenantConfigService = ReturnType<typeof tenantConfigService>;

/** How people come into a tenant (interface, 2.2 and 4.1). */
export function tenantConfigService({ database, work }: Pick<Core, 'database' | 'work'>) {
  return {
    /** @throws Problem `not_found` */
    get: (tenantId: TenantId) => getTenant(database, tenantId),

    /** @throws Problem `not_found`, `tenant_has_no_email_domain` */
    replace: (caller: Caller, tenantId: TenantId, wanted: TenantConfig) =>
      work(caller, async (tx) => {
        await lockTenant(tx, tenantId);
        const tenant = await getTenant(tx, tenantId);
        const locks = wanted.block_external_invitations || wanted.enforce_domain_only_invitations;
        if (locks && tenant.email_domain === null) throw problem('tenant_has_no_email_domain');
        const changes = changesTo<TenantConfig>(tenant, wanted);
        if (Object.keys(changes).length === 0) return;
        await updateTenant(tx, tenantId, changes);
        tx.emit('tenant_config_updated', { tenant_id: tenantId }, { changes });
      }),
  };
}
