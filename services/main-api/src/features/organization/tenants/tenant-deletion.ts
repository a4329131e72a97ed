import { sessionGrantKey, type TenantId } from '@sluice/contracts';
import type { Transaction } from '../../../database.ts';
import { removeKeys } from '../../access/api-keys/key-deletion.ts';
import { deleteTenantRows, sessionsOfMembers } from '../../../stores/tenant-removal.store.ts';

/** Removes a tenant that has no deployments, and every right in it. It is locked against additions. */
export async function removeTenant(tx: Transaction, tenantId: TenantId): Promise<void> {
  for (const session of await sessionsOfMembers(tx, tenantId))
    tx.grant(sessionGrantKey(session, tenantId), null);
  await removeKeys(tx, { tenant_id: tenantId });
  await deleteTenantRows(tx, tenantId);
}
