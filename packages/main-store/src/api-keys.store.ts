import {
  idOf,
  type ApiKeyId,
  type CompiledPermissions,
  type DivisionId,
  type Grant,
  type RoleId,
  type TenantId,
  type UserId,
} from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { LessThan, LessThanOrEqual, MoreThan, Raw } from 'typeorm';
import type { Database } from './database.ts';
import type { GrantingRole, RoleRow } from './roles.store.ts';
import {
  batches,
  existing,
  firstOf,
  ignoringCase,
  insertRow,
  pageOfRows,
  pick,
  takeRows,
  uniquely,
} from './rows.ts';
import { bigint, boolean, id, jsonb, nullable, table, text, time, type RowOf } from './columns.ts';

export const ApiKey = table('api_keys', {
  id: id<ApiKeyId>(),
  tenant_id: bigint<TenantId>(),
  division_id: nullable(bigint<DivisionId>()),
  name: text(),
  token_sha256: text(),
  role_id: bigint<RoleId>(),
  user_id: bigint<UserId>(),
  validate_ip: boolean({ default: false }),
  allowed_ips: text<string[]>({ array: true, default: [] }),
  expiry_at: time(),
  last_used_at: nullable(time()),
  /** caps what its role grants, since a restore of the database; null: no such limit */
  limited_to: nullable(jsonb<CompiledPermissions>()),
  created_at: time({ createDate: true }),
});
export type ApiKeyRow = RowOf<typeof ApiKey>;

export const FormerToken = table('former_tokens', {
  token_sha256: text({ primary: true }),
  api_key_id: bigint<ApiKeyId>(),
  expires_at: time(),
});
export type FormerTokenRow = RowOf<typeof FormerToken>;

export interface KeyWithRole extends ApiKeyRow {
  role_kind: RoleRow['kind'];
  role_name: string;
  role_permissions: object | null;
  division_name: string | null;
  user_name: string;
  /** what the key's user holds in the tenant; null: not an active member */
  user_roles: GrantingRole[] | null;
  tenant_owner_id: UserId;
  tenant_external_id: string;
  /** the hashes of the tokens from before it was rotated, with the times until which they work */
  former_tokens: Record<string, string>;
}

/** Which keys are meant: all of a tenant, or those of one of its divisions. */
export interface KeyScope {
  tenant_id: TenantId;
  division_id: DivisionId | null;
}

export interface KeySelection {
  tenant_id: TenantId;
  division_id?: DivisionId | null;
  user_id?: UserId;
  id?: ApiKeyId;
}

const shownKey = {
  as: 'k',
  columns: `k.*, r.kind AS role_kind, r.name AS role_name, r.permissions AS role_permissions,
    u.name AS user_name, t.owner_id AS tenant_owner_id, t.external_id AS tenant_external_id,
    (SELECT d.name FROM divisions d WHERE d.id = k.division_id) AS division_name,
    (SELECT coalesce(jsonb_agg(to_jsonb(held)) FILTER (WHERE held.id IS NOT NULL), '[]')
     FROM memberships m LEFT JOIN member_roles mr ON mr.membership_id = m.id LEFT JOIN roles held ON held.id = mr.role_id
     WHERE m.tenant_id = k.tenant_id AND m.user_id = k.user_id AND m.active
     GROUP BY m.id) AS user_roles,
    (SELECT coalesce(jsonb_object_agg(f.token_sha256, f.expires_at), '{}')
     FROM former_tokens f WHERE f.api_key_id = k.id) AS former_tokens`,
  joins: `JOIN roles r ON r.id = k.role_id
    JOIN users u ON u.id = k.user_id
    JOIN tenants t ON t.id = k.tenant_id`,
};
const keyWithRole = `SELECT ${shownKey.columns} FROM api_keys k ${shownKey.joins}`;
const inScope = 'k.tenant_id = $1 AND ($2::bigint IS NULL OR k.division_id = $2)';

export const findKey = (db: Database, { tenant_id, division_id }: KeyScope, id: ApiKeyId) =>
  firstOf(
    db.query<KeyWithRole>(`${keyWithRole} WHERE ${inScope} AND k.id = $3`, [tenant_id, division_id, id]),
  );

export const getKey = (db: Database, scope: KeyScope, id: ApiKeyId) => existing(findKey(db, scope, id));

export function listKeys(
  db: Database,
  { tenant_id, division_id }: KeyScope,
  name: string | undefined,
  page: Page,
) {
  const source = `api_keys k WHERE ${inScope} AND ($3::text IS NULL OR strpos(lower(k.name), lower($3)) > 0)`;
  return pageOfRows<KeyWithRole>(db, page, source, [tenant_id, division_id, name ?? null], shownKey);
}

export const listLiveKeys = (db: Database, now: Date, after: ApiKeyId, limit: number) =>
  db.query<KeyWithRole>(`${keyWithRole} WHERE k.expiry_at > $1 AND k.id > $2 ORDER BY k.id LIMIT $3`, [
    now,
    after,
    limit,
  ]);

export const listExpiredKeys = (db: Database, before: Date, limit: number) =>
  db.manager.find(ApiKey, {
    select: { id: true, tenant_id: true },
    where: { expiry_at: LessThan(before) },
    order: { expiry_at: 'ASC' },
    take: limit,
  });

export const listKeysById = (db: Database, ids: ApiKeyId[]) =>
  db.query<KeyWithRole>(`${keyWithRole} WHERE k.id = ANY ($1)`, [ids]);

const batchSize = 1_000;

export const keysOfUsers = (db: Database, tenantId: TenantId, userIds: readonly UserId[]) =>
  batches(
    idOf<ApiKeyId>(0),
    (after) =>
      db.query<KeyWithRole>(
        `${keyWithRole} WHERE k.tenant_id = $1 AND k.user_id = ANY ($2) AND k.expiry_at > now() AND k.id > $3
         ORDER BY k.id LIMIT $4`,
        [tenantId, userIds, after, batchSize],
      ),
    ({ id }) => id,
  );

export const findKeyByName = (
  { manager }: Database,
  tenant_id: TenantId,
  division_id: DivisionId | null,
  name: string,
) =>
  manager.findOneBy(ApiKey, {
    ...{ tenant_id, name: ignoringCase(name) },
    // the expression is that of the index
    division_id: Raw((column) => `coalesce(${column}, 0) = :division`, { division: division_id ?? 0 }),
  });

export async function listKeyIdsOfRole(db: Database, roleId: RoleId): Promise<ApiKeyId[]> {
  const keys = await db.manager.find(ApiKey, { where: { role_id: roleId }, order: { id: 'ASC' } });
  return keys.map(({ id }) => id);
}

export const endKeyBy = (db: Database, id: ApiKeyId, at: Date) =>
  db.query('UPDATE api_keys SET expiry_at = least(expiry_at, $2) WHERE id = $1', [id, at]);

/** Inserts a key with the id that it had before. @throws Problem `name_taken` */
export async function insertFormerKey(
  db: Database,
  { limited_to, ...key }: Omit<ApiKeyRow, 'last_used_at' | 'created_at'>,
): Promise<void> {
  const row = { ...key, limited_to: limited_to && JSON.stringify(limited_to) };
  const values = Object.keys(row).map((_, position) => `$${position + 1}`);
  const text = `INSERT INTO api_keys (${Object.keys(row).join(', ')}) OVERRIDING SYSTEM VALUE VALUES (${values.join(', ')})`;
  await uniquely('api_keys_name_key', db.query(text, Object.values(row)));
}

export const renewKey = (
  db: Database,
  id: ApiKeyId,
  renewed: Pick<ApiKeyRow, 'token_sha256' | 'expiry_at'>,
) => db.manager.update(ApiKey, { id }, renewed);

export const keysHaveRole = (db: Database, roleId: RoleId) =>
  db.manager.existsBy(ApiKey, { role_id: roleId });

/** What is held of the keys that act as a user, for themselves: not the hashes of their tokens. */
export async function exportKeys(db: Database, userId: UserId) {
  const keys = await db.manager.find(ApiKey, { where: { user_id: userId }, order: { id: 'ASC' } });
  return keys.map((row) => ({
    ...pick(row, 'id', 'tenant_id', 'division_id', 'name', 'role_id', 'validate_ip', 'allowed_ips'),
    ...pick(row, 'expiry_at', 'last_used_at', 'created_at'),
  }));
}

export const countLiveKeys = (db: Database, tenantId: TenantId, now: Date) =>
  db.manager.countBy(ApiKey, { tenant_id: tenantId, expiry_at: MoreThan(now) });

/** The most addresses that a key of a tenant has. */
export async function mostAllowedAddresses(db: Database, tenantId: TenantId, now: Date): Promise<number> {
  const most = db.query<{ most: number | null }>(
    'SELECT max(cardinality(allowed_ips)) AS most FROM api_keys WHERE tenant_id = $1 AND expiry_at > $2',
    [tenantId, now],
  );
  return (await firstOf(most))?.most ?? 0;
}

export const insertKey = (
  db: Database,
  key: Omit<ApiKeyRow, 'id' | 'last_used_at' | 'limited_to' | 'created_at'>,
) => insertRow(db, ApiKey, key, 'api_keys_name_key');

export const setSecurity = (
  db: Database,
  id: ApiKeyId,
  security: Pick<ApiKeyRow, 'validate_ip' | 'allowed_ips'>,
) => db.manager.update(ApiKey, { id }, security);

export const setToken = (db: Database, id: ApiKeyId, tokenSha256: string) =>
  db.manager.update(ApiKey, { id }, { token_sha256: tokenSha256 });

export const insertFormerToken = (db: Database, former: FormerTokenRow) =>
  db.manager.insert(FormerToken, former);

/** Deletes the former tokens of a key that have ended by an instant, or with null all of them, and answers their hashes. */
export async function deleteFormerTokens(db: Database, id: ApiKeyId, endedBy: Date | null) {
  const ended = endedBy && { expires_at: LessThanOrEqual(endedBy) };
  const former = await takeRows(db, FormerToken, { api_key_id: id, ...ended });
  return former.map(({ token_sha256 }) => token_sha256);
}

/** The key that has this token, or had it before it was rotated. */
export const findKeyOfToken = ({ manager }: Database, token: string) =>
  manager
    .createQueryBuilder(ApiKey, 'key')
    .where('key.token_sha256 = :token', { token })
    .orWhere('key.id = (SELECT api_key_id FROM former_tokens WHERE token_sha256 = :token)')
    .getOne();

export const deleteFormerToken = (db: Database, tokenSha256: string) =>
  db.manager.delete(FormerToken, { token_sha256: tokenSha256 });

/** Has a key do no more than this grant allows, from nowhere else and no longer. */
export const limitKey = (db: Database, id: ApiKeyId, grant: Grant) =>
  db.query(
    `UPDATE api_keys SET limited_to = $2, expiry_at = least(expiry_at, $3),
       validate_ip = validate_ip OR $4::text[] IS NOT NULL, allowed_ips = coalesce($4, allowed_ips)
     WHERE id = $1`,
    [id, JSON.stringify(grant.permissions), grant.expires_at, grant.allowed_ips],
  );

export const limitTo = (db: Database, id: ApiKeyId, permissions: CompiledPermissions) =>
  db.manager.update(ApiKey, { id }, { limited_to: permissions });

export type DeletedKey = Pick<ApiKeyRow, 'id' | 'name' | 'division_id' | 'role_id'> & {
  division_name: string | null;
  tokens: string[];
};

export const deleteKeys = (db: Database, { tenant_id, division_id = null, user_id, id }: KeySelection) =>
  db.query<DeletedKey>(
    `DELETE FROM api_keys k
     WHERE ${inScope} AND ($3::bigint IS NULL OR k.id = $3) AND ($4::bigint IS NULL OR k.user_id = $4)
     RETURNING k.id, k.name, k.division_id, k.role_id,
       (SELECT d.name FROM divisions d WHERE d.id = k.division_id) AS division_name,
       (SELECT array_agg(f.token_sha256) FROM former_tokens f WHERE f.api_key_id = k.id) || k.token_sha256 AS tokens`,
    [tenant_id, division_id, id ?? null, user_id ?? null],
  );

/**
 * Stores when keys were last used, for each at most once a minute. A locked row is left out: it
 * is being changed, or another replica stores the same. No use is later than now, by any clock.
 */
export const recordKeyUse = (db: Database, uses: ReadonlyMap<ApiKeyId, Date>) =>
  db.query(
    `WITH used AS (SELECT id, least(at, now()) AS at FROM unnest($1::bigint[], $2::timestamptz[]) AS used (id, at)),
       due AS (
         SELECT k.id, used.at FROM api_keys k JOIN used ON used.id = k.id
         WHERE k.last_used_at IS NULL OR k.last_used_at <= used.at - interval '1 minute' OR k.last_used_at > now()
         FOR UPDATE OF k SKIP LOCKED)
     UPDATE api_keys k SET last_used_at = due.at FROM due WHERE k.id = due.id`,
    [[...uses.keys()], [...uses.values()]],
  );
