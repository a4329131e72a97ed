import type { Database } from '../../database.ts';
import * as store from './deleted-tenants.store.ts';

/** Removes all entries of a tenant for good, that of its deletion included: nobody is left who could read them. */
export async function removeTenant(database: Database, tenantId: number): Promise<void> {
  await store.holdTenantAlone(database, tenantId);
  await store.noteDeletion(database, tenantId);
  await store.deleteEntries(database, tenantId);
  await store.forgetLongDeleted(database);
}

/** Whether an entry of the tenant may be added in this transaction: events can be handled after the tenant's last. */
export async function takesEntries(database: Database, tenantId: number): Promise<boolean> {
  await store.holdTenant(database, tenantId);
  return !(await store.isDeleted(database, tenantId));
}
