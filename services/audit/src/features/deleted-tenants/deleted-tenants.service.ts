import type { TenantId } from '@sluice/contracts';
import type { Transaction } from '../../database/tables.ts';
import {
  insertDeletedTenant,
  isDeleted,
  lockTenant,
  lockTenantShared,
  pruneDeletedTenants,
} from '../../stores/deleted-tenants.store.ts';
import { deleteEntries } from '../../stores/entries.store.ts';

export type DeletedTenantsService = ReturnType<typeof deletedTenantsService>;

/** Tenants whose deletion the audit log has heard of. */
export function deletedTenantsService() {
  return {
    /** Deletes all entries of a tenant, that of its deletion included: nobody is left who could read them. */
    async record({ db }: Transaction, tenantId: TenantId): Promise<void> {
      await lockTenant(db, tenantId);
      await insertDeletedTenant(db, tenantId);
      await deleteEntries(db, tenantId);
      await pruneDeletedTenants(db);
    },

    /** Whether an event's tenant is still there, which it then is until the transaction has ended. */
    async takesEntries({ db }: Transaction, tenantId: TenantId): Promise<boolean> {
      // events can be handled after the tenant's last
      await lockTenantShared(db, tenantId);
      return !(await isDeleted(db, tenantId));
    },
  };
}
