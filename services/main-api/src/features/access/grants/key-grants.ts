import { isDeepStrictEqual } from 'node:util';
import { intersect, narrowToDivision, unite, type CompiledPermissions, type Grant } from '@sluice/contracts';
import { system, type ServiceRuntime, type Log } from '@sluice/service-kit';
import type { Core } from '../../../core.ts';
import type { Transaction } from '../../../database.ts';
import { listKeysById, listLiveKeys, type KeyWithRole } from '../../../stores/api-keys.store.ts';
import { lockTenants } from '../../../stores/tenants.store.ts';
import { compiledRole } from './compiled-role.ts';

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

function narrowed({ division_id }: KeyWithRole, permissions: CompiledPermissions): CompiledPermissions {
  return division_id === null ? permissions : narrowToDivision(permissions, division_id);
}

/** Whether a key counts as the tenant's owner. */
export function isOwnersKey(key: KeyWithRole): boolean {
  const isAdmin = key.role_kind === 'system' && key.role_name === 'admin';
  return key.user_id === key.tenant_owner_id && isAdmin && key.division_id === null;
}

/** The grants of all tokens of a key, as all services check requests by them: none when its user is no active member. */
function grantsOf(key: KeyWithRole): [tokenSha256: string, grant: Grant | null][] {
  const until = (expiresAt: Date): Grant => ({
    tenant_id: key.tenant_id,
    user: { id: key.user_id, name: key.user_name },
    api_key: { id: key.id, name: key.name },
    owner: isOwnersKey(key),
    permissions,
    division_id: key.division_id,
    allowed_ips: key.validate_ip ? key.allowed_ips : null,
    expires_at: new Date(Math.min(expiresAt.getTime(), key.expiry_at.getTime())).toISOString(),
  });
  const permissions = permissionsOfKey(key);
  const tokens: [string, Date][] = [
    [key.token_sha256, key.expiry_at],
    ...Object.entries(key.former_tokens).map(([token, end]): [string, Date] => [token, new Date(end)]),
  ];
  return tokens.map(([token, end]) => [token, key.user_roles === null ? null : until(end)]);
}

/** Publishes what a key's tokens grant now. */
export function publishKeyGrants(tx: Transaction, key: KeyWithRole): void {
  for (const [token, grant] of grantsOf(key)) tx.grant(token, grant);
}

/**
 * Publishes the grants that NATS lacks or has otherwise than they should be: after its data was lost, or when a release
 * changes what a system role grants.
 */
export async function republishKeyGrants(
  { database, work, now }: Pick<Core, 'database' | 'work' | 'now'>,
  published: Pick<ServiceRuntime['grants'], 'find'>,
  log: Log,
): Promise<void> {
  const keys = await listLiveKeys(database, now());
  const stale = keys.filter((key) =>
    grantsOf(key).some(([token, grant]) => !isDeepStrictEqual(published.find(token) ?? null, grant)),
  );
  if (stale.length === 0) return;
  log.warn('grants are missing or out of date; they are published again', { count: stale.length });
  await work(system, async (tx) => {
    // they may have changed since they were read, and with the tenants locked they change no more
    await lockTenants(
      tx,
      stale.map(({ tenant_id }) => tenant_id),
    );
    const ids = stale.map(({ id }) => id);
    for (const key of await listKeysById(tx, ids)) publishKeyGrants(tx, key);
  });
}
