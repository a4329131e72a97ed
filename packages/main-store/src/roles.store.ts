import type { RoleId, TenantId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { In, IsNull, Not } from 'typeorm';
import type { Database } from './database.ts';
import { existing, insertRow, newRow, pageOfRows, uniquely } from './rows.ts';
import { bigint, id, jsonb, nullable, table, text, time, type RowOf } from './columns.ts';

/** A role, as far as it says what it grants. */
export type GrantingRole = Pick<RoleRow, 'kind' | 'name' | 'permissions'>;

export const Role = table('roles', {
  id: id<RoleId>(),
  tenant_id: bigint<TenantId>(),
  kind: text<'system' | 'custom' | 'api_key'>(),
  name: text(),
  /** null for system roles */
  permissions: nullable(jsonb<object>()),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type RoleRow = RowOf<typeof Role>;

/** The roles that can be given to members and keys. */
const assignable = Not<RoleRow['kind']>('api_key');

export const findRole = (db: Database, tenantId: TenantId, id: RoleId) =>
  db.manager.findOneBy(Role, { id, tenant_id: tenantId, kind: assignable });

export const getRole = (db: Database, tenantId: TenantId, id: RoleId) => existing(findRole(db, tenantId, id));

/** Those of these roles that the tenant has. */
export const findRoles = (db: Database, tenantId: TenantId, ids: RoleId[]) =>
  db.manager.findBy(Role, { id: In(ids), tenant_id: tenantId, kind: assignable });

export const listAssignableRoles = (db: Database, tenantId: TenantId) =>
  db.manager.findBy(Role, { tenant_id: tenantId, kind: assignable });

export const findRoleByName = (db: Database, tenantId: TenantId, name: string) =>
  db.manager.findOneBy(Role, { name, tenant_id: tenantId, kind: assignable });

export const listRoles = (db: Database, tenantId: TenantId, page: Page) =>
  pageOfRows<RoleRow>(db, page, "roles WHERE tenant_id = $1 AND kind <> 'api_key'", [tenantId]);

export const countCustomRoles = (db: Database, tenantId: TenantId) =>
  db.manager.countBy(Role, { tenant_id: tenantId, kind: 'custom' });

/** What the roles of a tenant say that it grants, those of keys too. */
export async function listRolePermissions(db: Database, tenantId: TenantId) {
  const roles = await db.manager.findBy(Role, { tenant_id: tenantId, permissions: Not(IsNull()) });
  return roles.map(({ permissions }) => permissions);
}

export const insertRole = (db: Database, role: Pick<RoleRow, 'tenant_id' | 'name' | 'permissions'>) =>
  insertRow(db, Role, { ...role, kind: 'custom' }, 'roles_name_key');

export const updateRole = (
  db: Database,
  id: RoleId,
  changes: Partial<Pick<RoleRow, 'name' | 'permissions'>>,
) => uniquely('roles_name_key', db.manager.update(Role, { id }, changes));

export const deleteRole = (db: Database, id: RoleId) => db.manager.delete(Role, { id });

export const deleteRolesOf = (db: Database, tenantId: TenantId) =>
  db.manager.delete(Role, { tenant_id: tenantId });

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
export const insertKeyRole = (db: Database, tenantId: TenantId, name: string, permissions: object) =>
  insertRow(db, Role, { tenant_id: tenantId, kind: 'api_key', name, permissions });

export const deleteKeyRoles = (db: Database, ids: RoleId[]) =>
  db.manager.delete(Role, { id: In(ids), kind: 'api_key' });
