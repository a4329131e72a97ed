import type { DivisionId, TenantId, Visibility } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { In } from 'typeorm';
import type { Database } from '../database.ts';
import { Division, type DivisionPath, type DivisionRow } from './divisions.entity.ts';
import { newRow, pageOfRows, uniquely } from './rows.ts';

const columns = 'id, tenant_id, name, description, email, email_subdomain, protected, created_at, updated_at';

export async function findDivision(
  db: Database,
  { tenant_id, division_id }: DivisionPath,
): Promise<DivisionRow | undefined> {
  const [division] = await db.query<DivisionRow>(
    `SELECT ${columns} FROM divisions WHERE id = $1 AND tenant_id = $2`,
    [division_id, tenant_id],
  );
  return division;
}

export async function findFirstDivision(db: Database, tenantId: TenantId): Promise<DivisionRow | null> {
  return await db.manager.findOne(Division, { where: { tenant_id: tenantId }, order: { id: 'ASC' } });
}

export async function listDivisions(
  db: Database,
  tenantId: TenantId,
  { byDefault, exceptions }: Visibility<DivisionId>,
  page: Page,
): Promise<[DivisionRow[], number]> {
  const source = 'divisions WHERE tenant_id = $1 AND (id = ANY ($2)) <> $3';
  return await pageOfRows<DivisionRow>(db, columns, source, [tenantId, exceptions, byDefault], page);
}

/** All divisions of a tenant, oldest first: its plan keeps that to some hundred rows. */
export async function listAllDivisions(db: Database, tenantId: TenantId): Promise<DivisionRow[]> {
  return await db.manager.find(Division, { where: { tenant_id: tenantId }, order: { id: 'ASC' } });
}

/** The names of those of these divisions that the tenant has. */
export async function findDivisionNames(
  db: Database,
  tenantId: TenantId,
  ids: DivisionId[],
): Promise<Map<DivisionId, string>> {
  if (ids.length === 0) return new Map();
  const divisions = await db.manager.findBy(Division, { tenant_id: tenantId, id: In(ids) });
  return new Map(divisions.map(({ id, name }) => [id, name]));
}

/** Whether a division of the tenant has this subdomain, in lower case. */
export async function hasSubdomain(db: Database, tenantId: TenantId, subdomain: string): Promise<boolean> {
  return await db.manager.existsBy(Division, { tenant_id: tenantId, email_subdomain: subdomain });
}

/** The first division of a tenant that is protected. */
export async function findProtectedDivision(db: Database, tenantId: TenantId): Promise<DivisionRow | null> {
  return await db.manager.findOne(Division, {
    where: { tenant_id: tenantId, protected: true },
    order: { id: 'ASC' },
  });
}

export async function countDivisions(db: Database, tenantId: TenantId): Promise<number> {
  return await db.manager.countBy(Division, { tenant_id: tenantId });
}

/** @throws Problem `name_taken` */
export async function insertDivision(
  db: Database,
  division: Pick<DivisionRow, 'tenant_id' | 'name'> & Partial<DivisionRow>,
): Promise<DivisionRow> {
  const row = newRow(db, Division, division);
  await uniquelyNamed(db.manager.insert(Division, row));
  return row;
}

/** @throws Problem `name_taken` */
export async function updateDivision(
  db: Database,
  id: DivisionId,
  changes: Partial<DivisionRow>,
): Promise<void> {
  await uniquelyNamed(db.manager.update(Division, { id }, changes));
}

/** @throws Problem `name_taken` for its name or its subdomain */
const uniquelyNamed = (statement: Promise<unknown>) =>
  uniquely('divisions_name_key', uniquely('divisions_email_subdomain_key', statement));

export async function deleteDivision(db: Database, id: DivisionId): Promise<void> {
  await db.manager.delete(Division, { id });
}

export async function deleteDivisionsOf(db: Database, tenantId: TenantId): Promise<void> {
  await db.manager.delete(Division, { tenant_id: tenantId });
}
