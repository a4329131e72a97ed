import {
  includes,
  writtenPermissions,
  type ApiKeyId,
  type CompiledPermissions,
  type Grant,
  type RoleId,
} from '@sluice/contracts';
import type { Transaction } from '@sluice/main-store/database';
import {
  findKey,
  insertFormerKey,
  insertFormerToken,
  limitTo,
  listKeysById,
  renewKey,
  type KeyWithRole,
} from '@sluice/main-store/api-keys.store';
import { findDivision } from '@sluice/main-store/divisions.store';
import { findMembers } from '@sluice/main-store/members.store';
import { findRole, insertKeyRole } from '@sluice/main-store/roles.store';
import { findTerms, lockTenants } from '@sluice/main-store/tenants.store';
import { grantToKeys, isOwnersKey, permissionsOfKey } from '@sluice/grant-publication/key-grants';
import { CannotDecide } from './cannot-decide.ts';
import { tokenOfGrantKey } from './tokens.ts';

/**
 * Takes over a key that was made, or got its token, since the copy, by its grant. It never grants more than that.
 * @param grantKey under which the grant stands in the bucket: with the hash of the token
 * @param roleId the role that the events name; another one is made where the tenant has none of that id
 * @throws CannotDecide where the tables lack what it belongs to
 */
export async function adoptKey(
  tx: Transaction,
  grantKey: string,
  grant: Grant | null,
  roleId: RoleId | undefined,
): Promise<void> {
  if (!grant?.api_key) throw new CannotDecide('The token of the key is not known: make another key.');
  if (grant.frozen) throw new CannotDecide('What the key may do is not known any more: make another key.');
  const { tenant_id, user, division_id } = grant;
  await lockTenants(tx, [tenant_id]);
  if ((await findTerms(tx, [tenant_id])).length === 0) throw new CannotDecide('The copy has no such tenant.');
  const [member] = await findMembers(tx, tenant_id, [user.id]);
  if (!member?.active)
    throw new CannotDecide('The user of the key is no active member: decide about that first.');
  if (division_id !== null && !(await findDivision(tx, { tenant_id, division_id })))
    throw new CannotDecide('The copy has no such division.');
  const { hash } = tokenOfGrantKey(grantKey);
  const id = grant.api_key.id;
  const known = await findKey(tx, { tenant_id, division_id: null }, id);
  if (known) await addToken(tx, known, hash, new Date(grant.expires_at));
  else await insertFormerKey(tx, { id, ...(await rowOf(tx, grant, roleId)), token_sha256: hash });
  await limit(tx, id, grant);
  await tx.setFrozen([grantKey], false);
  await grantToKeys(tx, await listKeysById(tx, [id]));
}

/** The token of a rotation since the copy: the one that lasts longest is the key's. */
async function addToken(tx: Transaction, key: KeyWithRole, hash: string, end: Date): Promise<void> {
  const isLatest = end > key.expiry_at;
  const former = isLatest ? key.token_sha256 : hash;
  if (isLatest) await renewKey(tx, key.id, { token_sha256: hash, expiry_at: end });
  const expires_at = isLatest ? key.expiry_at : end;
  await insertFormerToken(tx, { token_sha256: former, api_key_id: key.id, expires_at });
}

async function rowOf(tx: Transaction, grant: Grant, roleId: RoleId | undefined) {
  const { tenant_id, division_id, user, allowed_ips, expires_at, permissions } = grant;
  const name = grant.api_key?.name ?? '';
  const role =
    (roleId !== undefined && (await findRole(tx, tenant_id, roleId))) ||
    (await insertKeyRole(tx, tenant_id, name, writtenPermissions(permissions)));
  return {
    ...{ tenant_id, division_id, name, user_id: user.id, role_id: role.id, limited_to: null },
    validate_ip: allowed_ips !== null,
    allowed_ips: allowed_ips ?? [],
    expiry_at: new Date(expires_at),
  };
}

/** Keeps a key from granting more than its grant did, where its roles would. */
async function limit(tx: Transaction, id: ApiKeyId, { permissions, owner }: Grant): Promise<void> {
  const [key] = await listKeysById(tx, [id]);
  if (!key) return;
  const granted: CompiledPermissions = permissionsOfKey(key);
  if (includes(permissions, granted) && (owner || !isOwnersKey(key))) return;
  await limitTo(tx, id, permissions);
}
