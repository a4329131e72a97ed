import type { DivisionId, EnvironmentId, Ref, RoleId, TenantId, UserId } from '@sluice/contracts';
import type { Page } from '@sluice/service-kit';
import { In, Not } from 'typeorm';
import type { Database } from '../database.ts';
import { uniquely } from '../changes.ts';
import { ApiKey } from './api-keys.entity.ts';
import { Role, type RoleRow } from './roles.entity.ts';

/** The roles that can be given to members and keys. */
const assignable = Not<RoleRow['kind']>('api_key');

export async function findRole(db: Database, tenantId: TenantId, id: RoleId): Promise<RoleRow | null> {
  return await db.manager.findOneBy(Role, { id, tenant_id: tenantId, kind: assignable });
}

/** Those of these roles that the tenant has. */
export async function findRoles(db: Database, tenantId: TenantId, ids: RoleId[]): Promise<RoleRow[]> {
  return await db.manager.findBy(Role, { id: In(ids), tenant_id: tenantId, kind: assignable });
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

export async function countCustomRoles(db: Database, tenantId: TenantId): Promise<number> {
  return await db.manager.countBy(Role, { tenant_id: tenantId, kind: 'custom' });
}

/** @throws Problem `name_taken` */
export async function insertRole(
  db: Database,
  role: Pick<RoleRow, 'tenant_id' | 'name' | 'permissions'>,
): Promise<RoleRow> {
  const row = db.manager.create(Role, { ...role, kind: 'custom' });
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

/** Takes a role from all who hold it, and answers who they are. */
export async function takeFromMembers(db: Database, id: RoleId): Promise<Ref<UserId>[]> {
  return await db.query<Ref<UserId>>(
    `DELETE FROM member_roles mr USING memberships m JOIN users u ON u.id = m.user_id
     WHERE mr.role_id = $1 AND m.id = mr.membership_id RETURNING u.id, u.name`,
    [id],
  );
}

export async function deleteRole(db: Database, id: RoleId): Promise<void> {
  await db.manager.delete(Role, { id });
}

export async function keysHave(db: Database, id: RoleId): Promise<boolean> {
  return await db.manager.existsBy(ApiKey, { role_id: id });
}

/** The users whose rights depend on one of these roles: they hold it, or have a key with it. */
export async function usersOfRoles(db: Database, ids: RoleId[]): Promise<UserId[]> {
  const users = await db.query<{ user_id: UserId }>(
    `SELECT m.user_id FROM member_roles mr JOIN memberships m ON m.id = mr.membership_id WHERE mr.role_id = ANY ($1)
     UNION SELECT user_id FROM api_keys WHERE role_id = ANY ($1)`,
    [ids],
  );
  return users.map(({ user_id }) => user_id);
}

/** Removes what the roles of a tenant say of one division or environment, and answers which roles did. */
export async function deleteOverrides(db: Database, tenantId: TenantId, path: string[]): Promise<RoleId[]> {
  const roles = await db.query<{ id: RoleId }>(
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

export async function listDivisionIds(db: Database, tenantId: TenantId): Promise<DivisionId[]> {
  const divisions = await db.query<{ id: DivisionId }>('SELECT id FROM divisions WHERE tenant_id = $1', [
    tenantId,
  ]);
  return divisions.map(({ id }) => id);
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
