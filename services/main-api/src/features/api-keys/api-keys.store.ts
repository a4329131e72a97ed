import type { ApiKeyId, DivisionId, TenantId, UserId } from '@sluice/contracts';
import type { Page } from '@sluice/service-kit';
import type { Database } from '../../database.ts';
import { uniquely } from '../../rules.ts';
import type { RoleRow } from '../roles/roles.entity.ts';
import { ApiKey, type ApiKeyRow } from './api-keys.entity.ts';

/** A key with what it takes to describe it and to compile its grant. */
export interface KeyWithRole extends ApiKeyRow {
  role_kind: RoleRow['kind'];
  role_name: string;
  role_permissions: object | null;
  user_name: string;
  tenant_owner_id: UserId;
}

/** Which keys are meant: all of a tenant, or those of one of its divisions. */
export interface KeyScope {
  tenant_id: TenantId;
  division_id: DivisionId | null;
}

const keyWithRole = `SELECT k.*, r.kind AS role_kind, r.name AS role_name, r.permissions AS role_permissions,
    u.name AS user_name, t.owner_id AS tenant_owner_id
  FROM api_keys k
    JOIN roles r ON r.id = k.role_id
    JOIN users u ON u.id = k.user_id
    JOIN tenants t ON t.id = k.tenant_id`;
const inScope = 'k.tenant_id = $1 AND ($2::bigint IS NULL OR k.division_id = $2)';

export async function findKey(
  db: Database,
  { tenant_id, division_id }: KeyScope,
  id: ApiKeyId,
): Promise<KeyWithRole | undefined> {
  const [key] = await db.query<KeyWithRole>(`${keyWithRole} WHERE ${inScope} AND k.id = $3`, [
    tenant_id,
    division_id,
    id,
  ]);
  return key;
}

export async function listKeys(
  db: Database,
  { tenant_id, division_id }: KeyScope,
  name: string | undefined,
  { offset, results }: Page,
): Promise<[KeyWithRole[], number]> {
  const where = `WHERE ${inScope} AND ($3::text IS NULL OR strpos(lower(k.name), lower($3)) > 0)`;
  const values = [tenant_id, division_id, name ?? null];
  const keys = await db.query<KeyWithRole>(
    `${keyWithRole} ${where} ORDER BY k.created_at DESC, k.id DESC OFFSET $4 LIMIT $5`,
    [...values, offset, results],
  );
  const [total] = await db.query<{ count: number }>(`SELECT count(*) FROM api_keys k ${where}`, values);
  return [keys, total?.count ?? 0];
}

/** Every key that has not expired. */
export async function listLiveKeys(db: Database, now: Date): Promise<KeyWithRole[]> {
  return await db.query<KeyWithRole>(`${keyWithRole} WHERE k.expiry_at > $1`, [now]);
}

/** Locks keys and answers those that still exist, so that none can be deleted before this transaction ends. */
export async function lockKeys(db: Database, ids: ApiKeyId[]): Promise<KeyWithRole[]> {
  return await db.query<KeyWithRole>(`${keyWithRole} WHERE k.id = ANY ($1) FOR UPDATE OF k`, [ids]);
}

export async function countLiveKeys(db: Database, tenantId: TenantId, now: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    'SELECT count(*) FROM api_keys WHERE tenant_id = $1 AND expiry_at > $2',
    [tenantId, now],
  );
  return row?.count ?? 0;
}

/** @throws Problem `name_taken` */
export async function insertKey(
  db: Database,
  key: Omit<ApiKeyRow, 'id' | 'last_used_at' | 'created_at'>,
): Promise<ApiKeyRow> {
  const row = db.manager.create(ApiKey, key);
  await uniquely('api_keys_name_key', db.manager.insert(ApiKey, row));
  return row;
}

export type DeletedKey = Pick<ApiKeyRow, 'id' | 'name' | 'division_id' | 'role_id' | 'token_sha256'> & {
  division_name: string | null;
};

/** Deletes the keys of a division, or the key `id` of a scope, and tells which there were. */
export async function deleteKeys(
  db: Database,
  { tenant_id, division_id }: KeyScope,
  id: ApiKeyId | null,
): Promise<DeletedKey[]> {
  return await db.query<DeletedKey>(
    `DELETE FROM api_keys k WHERE ${inScope} AND ($3::bigint IS NULL OR k.id = $3)
     RETURNING k.id, k.name, k.division_id, k.role_id, k.token_sha256,
       (SELECT d.name FROM divisions d WHERE d.id = k.division_id) AS division_name`,
    [tenant_id, division_id, id],
  );
}

export async function noteUse(db: Database, uses: ReadonlyMap<ApiKeyId, Date>): Promise<void> {
  await db.query(
    `UPDATE api_keys k SET last_used_at = greatest(k.last_used_at, used.at)
     FROM unnest($1::bigint[], $2::timestamptz[]) AS used (id, at) WHERE k.id = used.id`,
    [[...uses.keys()], [...uses.values()]],
  );
}
