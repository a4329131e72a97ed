import { isDeepStrictEqual } from 'node:util';
import { keyGrantKey, newApiToken, tokenHash } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { problem } from '@sluice/service';
import { featuresOf } from '@sluice/catalogue/features';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import {
  deleteFormerTokens,
  insertFormerToken,
  listKeysById,
  setSecurity,
  setToken,
  type KeyWithRole,
} from '@sluice/main-store/api-keys.store';
import type { TenantTerms } from '@sluice/main-store/tenants.store';
import { grantToKeys, isOwnersKey, mostPermissionsOfKey } from '@sluice/grant-publication/key-grants';
import { requireHeld } from '../roles/granting.ts';
import { checkedAddresses, requireFewAddresses, type ApiKeyInput } from './key-input.ts';

export type Security = Pick<ApiKeyInput, 'validate_ip' | 'allowed_ips'>;

/**
 * Refuses to change or delete a key that grants what the caller does not hold: lifting its addresses would
 * decide about rights of others.
 * @throws Problem `privilege_escalation`
 */
export function requireMayChangeKey(caller: Caller, key: KeyWithRole): void {
  requireHeld(caller, mostPermissionsOfKey(key));
  if (isOwnersKey(key) && !caller.owner) throw problem('privilege_escalation');
}

/**
 * Says from which addresses a key of a locked tenant may be used.
 * @throws Problem `privilege_escalation`, `invalid_request`, `limit_reached`
 */
export async function secureKey(
  tx: Transaction,
  { catalogue }: Pick<Core, 'catalogue'>,
  tenant: TenantTerms,
  caller: Caller,
  key: KeyWithRole,
  wanted: Security,
): Promise<void> {
  requireMayChangeKey(caller, key);
  const allowed_ips = checkedAddresses(wanted);
  requireFewAddresses(featuresOf(catalogue, tenant), allowed_ips);
  const security = { validate_ip: wanted.validate_ip ?? false, allowed_ips };
  const former = { validate_ip: key.validate_ip, allowed_ips: key.allowed_ips };
  if (isDeepStrictEqual(former, security)) return;
  await setSecurity(tx, key.id, security);
  await grantToKeys(tx, [{ ...key, ...security }]);
  const about = { tenant_id: tenant.id, division: divisionOf(key) };
  tx.emit('api_key_security_updated', about, { name: key.name, changes: security, former });
}

/**
 * Gives a key of a locked tenant another token; the one that it had works on for `graceSeconds`, and with 0 no earlier
 * token works any more. The caller can act as the key's user from then on, so it has to be that user,
 * with all that the key grants.
 * @returns the new token
 * @throws Problem `privilege_escalation`
 */
export async function rotateKey(
  tx: Transaction,
  { now }: Pick<Core, 'now'>,
  caller: Caller,
  key: KeyWithRole,
  graceSeconds: number,
): Promise<string> {
  if (key.user_id !== caller.user.id) throw problem('privilege_escalation');
  requireMayChangeKey(caller, key);

  const endedBy = graceSeconds > 0 ? now() : null;
  const ended = await deleteFormerTokens(tx, key.id, endedBy);
  const token = newApiToken();
  if (graceSeconds > 0) {
    const expires_at = new Date(now().getTime() + graceSeconds * 1000);
    await insertFormerToken(tx, { token_sha256: key.token_sha256, api_key_id: key.id, expires_at });
  } else {
    ended.push(key.token_sha256);
  }
  await setToken(tx, key.id, tokenHash(token));
  await tx.setGrants(ended.map((former) => [keyGrantKey(key.tenant_id, former), null]));
  await grantToKeys(tx, await listKeysById(tx, [key.id]));

  const { name, role_id, division_id } = key;
  const about = { tenant_id: key.tenant_id, division: divisionOf(key) };
  const described = { name, role_id, ...(division_id && { division_id }) };
  tx.emit('api_key_rotated', about, { ...described, grace_seconds: graceSeconds });
  return token;
}

const divisionOf = ({ division_id, division_name }: KeyWithRole) =>
  division_id === null ? null : { id: division_id, name: division_name ?? '' };
