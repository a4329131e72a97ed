import { isDeepStrictEqual } from 'node:util';
import { narrowToDivision, type CompiledPermissions, type Grant } from '@sluice/contracts';
import type { Foundation, Log } from '@sluice/service-kit';
import type { Core } from '../../core.ts';
import { compiledRole } from '../roles/role-permissions.ts';
import { listLiveKeys, lockKeys, type KeyWithRole } from './api-keys.store.ts';

/** What a key may do: its role's permissions, in its division only if it is bound to one. */
export function permissionsOfKey(key: KeyWithRole): CompiledPermissions {
  const { role_kind, role_name, role_permissions } = key;
  const permissions = compiledRole({ kind: role_kind, name: role_name, permissions: role_permissions });
  return key.division_id === null ? permissions : narrowToDivision(permissions, key.division_id);
}

/** The grant of a key, as all services check requests by it. */
export function grantOf(key: KeyWithRole): Grant {
  const isAdmin = key.role_kind === 'system' && key.role_name === 'admin';
  return {
    tenant_id: key.tenant_id,
    user: { id: key.user_id, name: key.user_name },
    api_key: { id: key.id, name: key.name },
    owner: key.user_id === key.tenant_owner_id && isAdmin && key.division_id === null,
    permissions: permissionsOfKey(key),
    division_id: key.division_id,
    allowed_ips: key.validate_ip ? key.allowed_ips : null,
    expires_at: key.expiry_at.toISOString(),
  };
}

/**
 * Publishes the grants that NATS lacks or has otherwise than they should be: after its data was lost, or when a release
 * changes what a system role grants.
 */
export async function republishGrants(
  { database, work, now }: Pick<Core, 'database' | 'work' | 'now'>,
  published: Pick<Foundation['grants'], 'find'>,
  log: Log,
): Promise<void> {
  const keys = await listLiveKeys(database, now());
  const stale = keys.filter((key) => !isDeepStrictEqual(published.find(key.token_sha256), grantOf(key)));
  if (stale.length === 0) return;
  log.warn('grants are missing or out of date; they are published again', { count: stale.length });
  await work({ author: null, api_key: null, correlation_id: null }, async (tx) => {
    for (const key of await lockKeys(
      tx,
      stale.map(({ id }) => id),
    ))
      tx.grant(key.token_sha256, grantOf(key));
  });
}
