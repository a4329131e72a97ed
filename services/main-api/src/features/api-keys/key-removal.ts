import type { ApiKeyId, DivisionId, TenantId } from '@sluice/contracts';
import type { Transaction } from '../../database.ts';
import { deleteKeyRoles } from '../roles/roles.store.ts';
import { deleteKeys, type KeyScope } from './api-keys.store.ts';

/**
 * Deletes one key of a scope, or all keys of a division, with their own roles, and takes their grants away.
 * @returns how many there were
 */
export async function removeKeys(
  tx: Transaction,
  which: { scope: KeyScope; id: ApiKeyId } | { tenant_id: TenantId; division_id: DivisionId },
): Promise<number> {
  const keys =
    'scope' in which ? await deleteKeys(tx, which.scope, which.id) : await deleteKeys(tx, which, null);
  const tenant_id = 'scope' in which ? which.scope.tenant_id : which.tenant_id;
  for (const { name, role_id, division_id, division_name, token_sha256 } of keys) {
    tx.grant(token_sha256, null);
    const division = division_id === null ? null : { id: division_id, name: division_name ?? '' };
    tx.emit(
      'api_key_deleted',
      { tenant_id, division },
      { name, role_id, ...(division_id && { division_id }) },
    );
  }
  if (keys.length > 0)
    await deleteKeyRoles(
      tx,
      keys.map(({ role_id }) => role_id),
    );
  return keys.length;
}
