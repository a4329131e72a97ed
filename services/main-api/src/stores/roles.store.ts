import type { RoleId, TenantId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { problem } from '@sluice/service';
import { In, Not } from 'typeorm';
import type { Database } from '../database.ts';
import { Role, type RoleRow } from './roles.entity.ts';
import { newRow, pageOfRows, uniquely } from './rows.ts';

/** The roles that can be given to members and keys. */
const assignable = Not<RoleRow['kind']>('api_key');

export async function findRole(db: Database, tenantId: TenantId, id: RoleId): Promise<RoleRow | null> {
  return await db.manager.findOneBy(Role, { id, tenant_id: tenantId, kind: assignable });
}

/** @throws Problem `not_found` */
export async function getRole(db: Database, tenantId: TenantId, id: RoleId): Promise<RoleRow> {
  const role = await findRole(db, tenantId, id);
  if (!role) throw problem('not_found');
  return role;
}

/** Those of these roles that the tenant has. */
export async function findRoles(db: Database, tenantId: TenantId, ids: RoleId[]): Promise<RoleRow[]> {
  return await db.manager.findBy(Role, { id: In(ids), tenant_id: tenantId, kind: assignable });
}

/** All roles of a tenant that can be given. */
export async function listAssignableRoles(db: Database, tenantId: TenantId): Promise<RoleRow[]> {
  return await db.manager.findBy(Role, { tenant_id: tenantId, kind: assignable });
}

export async function findRoleByName(
  db: Database,
  tenantId: TenantId,
  name: string,
): Promise<RoleRow | null> {
  return await db.manager.findOneBy(Role, { name, tenant_id: tenantId, kind: assignable });
}

export async function listRoles(db: Database, tenantId: TenantId, page: Page): Promise<[RoleRow[], number]> {
  const source = "roles WHERE tenant_id = $1 AND kind <> 'api_key'";
  return await pageOfRows<RoleRow>(db, '*', source, [tenantId], page);
}

export async function countCustomRoles(db: Database, tenantId: TenantId): Promise<number> {
  return await db.manager.countBy(Role, { tenant_id: tenantId, kind: 'custom' });
}

/** What the roles of a tenant say that it grants, those of keys too. */
export async function listRolePermissions(db: Database, tenantId: TenantId): Promise<object[]> {
  const rows = await db.query<{ permissions: object }>(
    'SELECT permissions FROM roles WHERE tenant_id = $1 AND permissions IS NOT NULL',
    [tenantId],
  );
  return rows.map(({ permissions }) => permissions);
}

/** @throws Problem `name_taken` */
export async function insertRole(
  db: Database,
  role: Pick<RoleRow, 'tenant_id' | 'name' | 'permissions'>,
): Promise<RoleRow> {
  const row = newRow(db, Role, { ...role, kind: 'custom' });
  await uniquely('roles_name_key', db.manager.insert(Role, row));
  return row;
}

/** @throws Problem `name_taken` */
export async function updateRole(
  db: Database,
  id: RoleId,
  changes: Partial<Pick<RoleRow, 'name' | 'permissions'>>,
): Promise<void> {
  await uniquely('roles_name_key', db.manager.update(Role, { id }, changes));
}

export async function deleteRole(db: Database, id: RoleId): Promise<void> {
  await db.manager.delete(Role, { id });
}

export async function deleteRolesOf(db: Database, tenantId: TenantId): Promise<void> {
  await db.manager.delete(Role, { tenant_id: tenantId });
}

/** Deletes what the roles of a tenant say of one division or environment, and answers which roles did. */
export async function deleteOverrides(db: Database, tenantId: TenantId, path: string[]): Promise<RoleId[]> {
  const roles = await db.query<Pick<RoleRow, 'id'>>(
    `UPDATE roles SET permissions = permissions #- $2::text[]
     WHERE tenant_id = $1 AND permissions #> $2::text[] IS NOT NULL RETURNING id`,
    [tenantId, path],
  );
  return roles.map(({ id }) => id);
}

export async function insertSystemRoles(
  db: Database,
  tenantId: TenantId,
  names: readonly string[],
): Promise<RoleRow[]> {
  const rows = names.map((name) => newRow(db, Role, { tenant_id: tenantId, kind: 'system', name }));
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
  const row = newRow(db, Role, { tenant_id: tenantId, kind: 'api_key', name, permissions });
  await db.manager.insert(Role, row);
  return row;
}

export async function deleteKeyRoles(db: Database, ids: RoleId[]): Promise<void> {
  await db.manager.delete(Role, { id: In(ids), kind: 'api_key' });
}
