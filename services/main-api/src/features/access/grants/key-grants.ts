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
import type { Core } from '../../../core.ts';
import type { Granting } from '../../../database.ts';
import { listKeysById, listLiveKeys, type KeyWithRole } from '../../../stores/api-keys.store.ts';
import { lockTenants } from '../../../stores/tenants.store.ts';
import { compiledRole } from './compiled-role.ts';

/** What it takes to say again what tokens may do. */
export type Renewing = Pick<Core, 'database' | 'work' | 'now'>;

/** What a key may do: what both its role and its user's roles allow, in its division only if it is bound to one. */
export function permissionsOfKey(key: KeyWithRole): CompiledPermissions {
  return narrowed(key, intersect(permissionsOfRole(key), unite((key.user_roles ?? []).map(compiledRole))));
}

/** The same; for a key whose user is not active now, what it may do again once they are, at most. */
export function mostPermissionsOfKey(key: KeyWithRole): CompiledPermissions {
  return key.user_roles === null ? narrowed(key, permissionsOfRole(key)) : permissionsOfKey(key);
}

function permissionsOfRole({ role_kind, role_name, role_permissions }: KeyWithRole): CompiledPermissions {
  return compiledRole({ kind: role_kind, name: role_name, permissions: role_permissions });
}

function narrowed(
  { division_id, limited_to }: KeyWithRole,
  granted: CompiledPermissions,
): CompiledPermissions {
  const permissions = limited_to === null ? granted : intersect(granted, limited_to);
  return division_id === null ? permissions : narrowToDivision(permissions, division_id);
}

/** Whether a key counts as the tenant's owner. */
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

/** Says again what all keys may do, as when a release changes what a system role grants. */
export async function renewKeyGrants({ database, work, now }: Renewing): Promise<void> {
  for (let last = idOf<ApiKeyId>(0); ;) {
    const keys = await listLiveKeys(database, now(), last, batchSize);
    const end = keys.at(-1);
    if (!end) return;
    last = end.id;
    await work(system, async (tx) => {
      // they may have changed since they were read, and with the tenants locked they change no more
      await lockTenants(tx, [...new Set(keys.map(({ tenant_id }) => tenant_id))]);
      await grantToKeys(
        tx,
        await listKeysById(
          tx,
          keys.map(({ id }) => id),
        ),
      );
    });
  }
}
