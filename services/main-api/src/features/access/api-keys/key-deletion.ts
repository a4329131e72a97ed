import { keyGrantKey } from '@sluice/contracts';
import type { Transaction } from '../../../database.ts';
import { deleteKeys, type KeySelection } from '../../../stores/api-keys.store.ts';
import { deleteKeyRoles } from '../../../stores/roles.store.ts';

/**
 * Deletes the selected keys with their own roles, and takes their grants away.
 * @returns how many there were
 */
export async function deleteKeysAndGrants(tx: Transaction, which: KeySelection): Promise<number> {
  const keys = await deleteKeys(tx, which);
  const { tenant_id } = which;
  const tokens = keys.flatMap((key) => key.tokens);
  await tx.setGrants(tokens.map((token) => [keyGrantKey(tenant_id, token), null]));
  for (const { name, role_id, division_id, division_name } of keys) {
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
