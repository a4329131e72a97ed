import {
  compileRole,
  narrowToDivision,
  newApiToken,
  tokenHash,
  type ApiKeyId,
  type DivisionId,
  type Features,
  type Ref,
} from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { Page } from '@sluice/http';
import { fieldProblem, problem } from '@sluice/service';
import { featuresOf, requireRoom } from '@sluice/catalogue/features';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import {
  countLiveKeys,
  findKey,
  getKey,
  insertKey,
  listKeys,
  type KeyScope,
  type KeyWithRole,
} from '@sluice/main-store/api-keys.store';
import { type DivisionPath, findDivision } from '@sluice/main-store/divisions.store';
import { type RoleRow, findRole, insertKeyRole } from '@sluice/main-store/roles.store';
import { type TenantPath, lockTenant, type TenantTerms } from '@sluice/main-store/tenants.store';
import { compiledRole } from '@sluice/grant-publication/compiled-role';
import { grantToKeys, permissionsOfKey } from '@sluice/grant-publication/key-grants';
import { requireHeld } from '../roles/granting.ts';
import { describePermissions } from '../roles/permissions-detail.ts';
import { checkedPermissions } from '../roles/role-permissions.ts';
import { getVisibleDivision } from '../visibility.ts';
import { requireMayChangeKey, rotateKey, secureKey, type Security } from './key-changes.ts';
import { deleteKeysAndGrants } from './key-deletion.ts';
import { checkedKeyInput, requireFewAddresses, type ApiKeyInput } from './key-input.ts';

export type ApiKeysService = ReturnType<typeof apiKeysService>;

export interface NewKey {
  id: ApiKeyId;
  name: string;
  /** shown this once */
  token: string;
  expiry_at: Date;
}

/**
 * Adds a key to a locked tenant; it acts as the caller's user.
 * @throws Problem `invalid_request`, `privilege_escalation`, `limit_reached`, `name_taken`
 */
export async function addApiKey(
  tx: Transaction,
  { catalogue, now }: Pick<Core, 'catalogue' | 'now'>,
  tenant: TenantTerms,
  caller: Caller,
  input: ApiKeyInput,
): Promise<NewKey> {
  const { expiryAt, allowedIps } = checkedKeyInput(input, now());
  const features = featuresOf(catalogue, tenant);
  const division = await divisionOf(tx, tenant, input);
  const role = await grantableRole(tx, tenant, features, caller, division, input);
  requireFewAddresses(features, allowedIps);
  requireRoom(features, 'api_keys_limit', await countLiveKeys(tx, tenant.id, now()));

  const token = newApiToken();
  const { id, name, ...key } = await insertKey(tx, {
    tenant_id: tenant.id,
    division_id: division?.id ?? null,
    name: input.name,
    token_sha256: tokenHash(token),
    role_id: 'id' in role ? role.id : (await insertKeyRole(tx, tenant.id, input.name, role.permissions)).id,
    user_id: caller.user.id,
    validate_ip: input.validate_ip ?? false,
    allowed_ips: allowedIps,
    expiry_at: expiryAt,
  });
  await grantToKeys(tx, [await getKey(tx, { tenant_id: tenant.id, division_id: null }, id)]);
  const data = { name, role_id: key.role_id, ...(division && { division_id: division.id }) };
  tx.emit('api_key_created', { tenant_id: tenant.id, division }, data);
  return { id, name, token, expiry_at: key.expiry_at };
}

async function divisionOf(
  tx: Transaction,
  tenant: TenantTerms,
  { division_id }: ApiKeyInput,
): Promise<Ref<DivisionId> | null> {
  if (division_id === undefined || division_id === null) return null;
  const division = await findDivision(tx, { tenant_id: tenant.id, division_id });
  if (!division) throw fieldProblem('division_id', 'unknown', 'is no division of the tenant');
  return { id: division.id, name: division.name };
}

/** The division of a path. @throws Problem `not_found` */
async function requireDivision(tx: Transaction, path: DivisionPath): Promise<void> {
  if (!(await findDivision(tx, path))) throw problem('not_found');
}

/** The role that the key shall have, or the permissions for a role of its own: nothing that the caller lacks. */
async function grantableRole(
  tx: Transaction,
  tenant: TenantTerms,
  features: Features,
  caller: Caller,
  division: Ref<DivisionId> | null,
  { role_id, permissions }: ApiKeyInput,
): Promise<RoleRow | { permissions: object }> {
  const role = role_id ? await findRole(tx, tenant.id, role_id) : null;
  if (role_id && !role) throw fieldProblem('role_id', 'unknown', 'is no role of the tenant');
  const own = await checkedPermissions(tx, tenant.id, features, permissions ?? {}, '/body/permissions');
  const granted = role ? compiledRole(role) : compileRole(own);
  const inForce = division ? narrowToDivision(granted, division.id) : granted;
  const asOwner =
    role?.kind === 'system' && role.name === 'admin' && !division && caller.user.id === tenant.owner_id;
  requireHeld(caller, inForce);
  if (asOwner && !caller.owner) throw problem('privilege_escalation');
  return role ?? { permissions: own };
}

/** A tenant's keys, or with `division_id` those of one of its divisions. */
export type ScopePath = TenantPath & Partial<DivisionPath>;
type KeyPath = ScopePath & { api_key_id: ApiKeyId };

const scopeOf = ({ tenant_id, division_id }: ScopePath): KeyScope => ({
  tenant_id,
  division_id: division_id ?? null,
});

/** The rules of API keys (interface, section 5). */
export function apiKeysService(core: Core) {
  const { database, work } = core;
  const detailOf = async (caller: Caller, key: KeyWithRole) => ({
    key,
    permissions: await describePermissions(database, key.tenant_id, permissionsOfKey(key), caller),
  });
  return {
    create: (caller: Caller, { tenant_id, division_id }: ScopePath, input: ApiKeyInput) =>
      work(caller, async (tx) => {
        const tenant = await lockTenant(tx, tenant_id);
        if (division_id !== undefined) await requireDivision(tx, { tenant_id, division_id });
        return await addApiKey(tx, core, tenant, caller, {
          ...input,
          division_id: division_id ?? input.division_id,
        });
      }),

    async list(caller: Caller, path: ScopePath, name: string | undefined, page: Page) {
      const { tenant_id, division_id } = path;
      if (division_id !== undefined) await getVisibleDivision(database, caller, { tenant_id, division_id });
      return await listKeys(database, scopeOf(path), name, page);
    },

    /** A key with what it grants, written out. */
    get: async (caller: Caller, path: KeyPath) =>
      detailOf(caller, await getKey(database, scopeOf(path), path.api_key_id)),

    async context(caller: Caller, path: ScopePath) {
      const { apiKey } = caller;
      const key = apiKey && (await findKey(database, scopeOf(path), apiKey.id));
      if (!key) throw problem('not_found');
      return await detailOf(caller, key);
    },

    secure: (caller: Caller, path: KeyPath, security: Security) =>
      work(caller, async (tx) => {
        const tenant = await lockTenant(tx, path.tenant_id);
        const key = await getKey(tx, scopeOf(path), path.api_key_id);
        await secureKey(tx, core, tenant, caller, key, security);
      }),

    rotate: (caller: Caller, path: KeyPath, graceSeconds: number) =>
      work(caller, async (tx): Promise<NewKey> => {
        await lockTenant(tx, path.tenant_id);
        const key = await getKey(tx, scopeOf(path), path.api_key_id);
        const token = await rotateKey(tx, core, caller, key, graceSeconds);
        return { id: key.id, name: key.name, token, expiry_at: key.expiry_at };
      }),

    delete: (caller: Caller, path: KeyPath) =>
      work(caller, async (tx) => {
        await lockTenant(tx, path.tenant_id);
        requireMayChangeKey(caller, await getKey(tx, scopeOf(path), path.api_key_id));
        await deleteKeysAndGrants(tx, { ...scopeOf(path), id: path.api_key_id });
      }),
  };
}
