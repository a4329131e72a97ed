import type { DivisionId, EnvironmentId, RoleId, TenantId } from '@sluice/contracts';
import type { Page } from '@sluice/service-kit';
import { In, Not } from 'typeorm';
import type { Database } from '../../database.ts';
import { Role, type RoleRow } from './roles.entity.ts';

/** The roles that can be given to members and keys. */
const assignable = Not<RoleRow['kind']>('api_key');

export async function findRole(db: Database, tenantId: TenantId, id: RoleId): Promise<RoleRow | null> {
  return await db.manager.findOneBy(Role, { id, tenant_id: tenantId, kind: assignable });
}

export async function findRoleByName(
  db: Database,
  tenantId: TenantId,
  name: string,
): Promise<RoleRow | null> {
  return await db.manager.findOneBy(Role, { name, tenant_id: tenantId, kind: assignable });
}

export async function listRoles(
  db: Database,
  tenantId: TenantId,
  { offset, results }: Page,
): Promise<[RoleRow[], number]> {
  return await db.manager.findAndCount(Role, {
    where: { tenant_id: tenantId, kind: assignable },
    order: { created_at: 'DESC', id: 'DESC' },
    skip: offset,
    take: results,
  });
}

export async function insertSystemRoles(
  db: Database,
  tenantId: TenantId,
  names: readonly string[],
): Promise<RoleRow[]> {
  const rows = names.map((name) => db.manager.create(Role, { tenant_id: tenantId, kind: 'system', name }));
  await db.manager.insert(Role, rows);
  return rows;
}

/** The role of one API key with permissions of its own. */
export async function insertKeyRole(
  db: Database,
  tenantId: TenantId,
  name: string,
  permissions: object,
): Promise<RoleRow> {
  const row = db.manager.create(Role, { tenant_id: tenantId, kind: 'api_key', name, permissions });
  await db.manager.insert(Role, row);
  return row;
}

export async function deleteKeyRoles(db: Database, ids: RoleId[]): Promise<void> {
  await db.manager.delete(Role, { id: In(ids), kind: 'api_key' });
}

/** The names of those of these divisions that the tenant has. */
export async function divisionNames(
  db: Database,
  tenantId: TenantId,
  ids: DivisionId[],
): Promise<Map<DivisionId, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: DivisionId; name: string }>(
    'SELECT id, name FROM divisions WHERE tenant_id = $1 AND id = ANY ($2)',
    [tenantId, ids],
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** The names and divisions of those of these environments that the tenant has. */
export async function environmentNames(
  db: Database,
  tenantId: TenantId,
  ids: EnvironmentId[],
): Promise<Map<EnvironmentId, { name: string; division_id: DivisionId }>> {
  if (ids.length === 0) return new Map();
  const rows = await db.query<{ id: EnvironmentId; name: string; division_id: DivisionId }>(
    'SELECT id, name, division_id FROM environments WHERE tenant_id = $1 AND id = ANY ($2)',
    [tenantId, ids],
  );
  return new Map(rows.map(({ id, ...row }) => [id, row]));
}
