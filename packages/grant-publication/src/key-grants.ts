import {
  idOf,
  intersect,
  keyGrantKey,
  narrowToDivision,
  unite,
  type ApiKeyId,
  type CompiledPermissions,
  type Grant,
} from '@sluice/contracts';
import { system } from '@sluice/service';
import type { UnitOfWork } from '@sluice/messaging';
import type { Database, Granting } from '@sluice/main-store/database';
import { listKeysById, listLiveKeys, type KeyWithRole } from '@sluice/main-store/api-keys.store';
import { batches } from '@sluice/main-store/rows';
import { lockTenants } from '@sluice/main-store/tenants.store';
import { compiledRole } from './compiled-role.ts';

/** With what grants are made anew: the database, units of work, and the time. */
export interface Renewing {
  database: Database;
  work: UnitOfWork<Database & Granting>;
  now: () => Date;
}

/** What a key may do: what both its role and its user's roles allow, in its division only if it is bound to one. */
export const permissionsOfKey = (key: KeyWithRole) =>
  narrowed(key, intersect(permissionsOfRole(key), unite((key.user_roles ?? []).map(compiledRole))));

/** The same; for a key whose user is not active now, what it may do again once they are, at most. */
export const mostPermissionsOfKey = (key: KeyWithRole) =>
  key.user_roles === null ? narrowed(key, permissionsOfRole(key)) : permissionsOfKey(key);

const permissionsOfRole = ({ role_kind, role_name, role_permissions }: KeyWithRole) =>
  compiledRole({ kind: role_kind, name: role_name, permissions: role_permissions });

function narrowed(
  { division_id, limited_to }: KeyWithRole,
  granted: CompiledPermissions,
): CompiledPermissions {
  const permissions = limited_to === null ? granted : intersect(granted, limited_to);
  return division_id === null ? permissions : narrowToDivision(permissions, division_id);
}

export function isOwnersKey(key: KeyWithRole): boolean {
  const isAdmin = key.role_kind === 'system' && key.role_name === 'admin';
  return (
    key.user_id === key.tenant_owner_id && isAdmin && key.division_id === null && key.limited_to === null
  );
}

/** The grants of all tokens of a key, as all services check requests by them: none when its user is no active member. */
export function grantsOfKey(key: KeyWithRole): [string, Grant | null][] {
  const until = (expiresAt: Date): Grant => ({
    tenant_id: key.tenant_id,
    user: { id: key.user_id, name: key.user_name },
    api_key: { id: key.id, name: key.name },
    owner: isOwnersKey(key),
    permissions,
    division_id: key.division_id,
    allowed_ips: key.validate_ip ? key.allowed_ips : null,
    external_id: key.tenant_external_id,
    expires_at: new Date(Math.min(expiresAt.getTime(), key.expiry_at.getTime())).toISOString(),
  });
  const permissions = permissionsOfKey(key);
  const tokens: [string, Date][] = [
    [key.token_sha256, key.expiry_at],
    ...Object.entries(key.former_tokens).map(([token, end]): [string, Date] => [token, new Date(end)]),
  ];
  return tokens.map(([token, end]) => [
    keyGrantKey(key.tenant_id, token),
    key.user_roles === null ? null : until(end),
  ]);
}

/** Says what the tokens of keys may do now. */
export async function grantToKeys(tx: Granting, keys: readonly KeyWithRole[]): Promise<void> {
  await tx.setGrants(keys.flatMap(grantsOfKey));
}

const batchSize = 1_000;

/** Grants all keys again, as when a release changes what a system role grants. */
export async function renewKeyGrants({ database, work, now }: Renewing): Promise<void> {
  const list = (after: ApiKeyId) => listLiveKeys(database, now(), after, batchSize);
  for await (const keys of batches(idOf<ApiKeyId>(0), list, ({ id }) => id))
    await work(system, async (tx) => {
      // they may have changed since they were read, and with the tenants locked they change no more
      await lockTenants(tx, [...new Set(keys.map(({ tenant_id }) => tenant_id))]);
      const ids = keys.map(({ id }) => id);
      await grantToKeys(tx, await listKeysById(tx, ids));
    });
}
