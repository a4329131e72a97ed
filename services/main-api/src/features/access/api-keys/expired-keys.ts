import { system } from '@sluice/service';
import type { Core } from '../../../core.ts';
import { listExpiredKeys } from '../../../stores/api-keys.store.ts';
import { lockTenant } from '../../../stores/tenants.store.ts';
import { deleteKeysAndGrants } from './key-deletion.ts';

/** for so long the list of keys shows that one has expired */
const shownMilliseconds = 90 * 24 * 60 * 60 * 1000;

/** Deletes keys that expired ninety days ago, at most `limit`, each as if somebody had. @returns how many */
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
