import { keyGrantKey } from '@sluice/contracts';
import { system } from '@sluice/service';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import { deleteKeys, listExpiredKeys, type KeySelection } from '@sluice/main-store/api-keys.store';
import { deleteKeyRoles } from '@sluice/main-store/roles.store';
import { lockTenant } from '@sluice/main-store/tenants.store';

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
    const data = { name, role_id, ...(division_id && { division_id }) };
    tx.emit('api_key_deleted', { tenant_id, division }, data);
  }
  const roles = keys.map(({ role_id }) => role_id);
  if (roles.length > 0) await deleteKeyRoles(tx, roles);
  return keys.length;
}

/** for so long the list of keys shows that one has expired */
const shownMilliseconds = 90 * 24 * 60 * 60 * 1000;

/** Deletes keys that expired ninety days ago, at most `limit`, each with its event. @returns how many */
export async function deleteExpiredKeys(
  { database, work, now }: Pick<Core, 'database' | 'work' | 'now'>,
  limit: number,
): Promise<number> {
  const expired = await listExpiredKeys(database, new Date(now().getTime() - shownMilliseconds), limit);
  for (const [tenant_id, keys] of Map.groupBy(expired, (key) => key.tenant_id))
    await work(system, async (tx) => {
      await lockTenant(tx, tenant_id);
      for (const { id } of keys) await deleteKeysAndGrants(tx, { tenant_id, id });
    });
  return expired.length;
}
