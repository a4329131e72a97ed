import { grantNameOf } from '@sluice/contracts';
import type { Transaction } from '@sluice/main-store/database';
import { deleteFormerToken, findKeyOfToken } from '@sluice/main-store/api-keys.store';
import { lockTenants } from '@sluice/main-store/tenants.store';
import { deleteKeysAndGrants } from '../access/api-keys/key-deletion.ts';

/** What a key of the bucket of the grants stands for: the hash of a token, and whether it is a session's. */
export function tokenOfGrantKey(grantKey: string) {
  const { tenantId, name = '' } = grantNameOf(grantKey) ?? {};
  const [hash = '', session] = name.split('.');
  return { tenantId, hash, isSession: session !== undefined };
}

/** Deletes a key by the key of its grant; of one that was rotated, by that of its former token, the token alone. */
export async function deleteToken(tx: Transaction, grantKey: string): Promise<void> {
  const { tenantId, hash } = tokenOfGrantKey(grantKey);
  if (tenantId !== undefined) await lockTenants(tx, [tenantId]);
  const key = await findKeyOfToken(tx, hash);
  if (key?.token_sha256 === hash) {
    await deleteKeysAndGrants(tx, { tenant_id: key.tenant_id, id: key.id });
    return;
  }
  await deleteFormerToken(tx, hash);
  await tx.setGrants([[grantKey, null]]);
}
