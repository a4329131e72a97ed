import type { DivisionId, Labels, TenantId, Visibility } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { In } from 'typeorm';
import { labelCondition, labelValues } from './labels.ts';
import type { Database } from './database.ts';
import { newRow, pageOfRows, uniquely } from './rows.ts';
import { bigint, boolean, id, jsonb, nullable, table, text, time, type RowOf } from './columns.ts';

/** The ids in a path that names a division: with a wrong tenant it finds nothing. */
export interface DivisionPath {
  tenant_id: TenantId;
  division_id: DivisionId;
}

export const Division = table('divisions', {
  id: id<DivisionId>(),
  tenant_id: bigint<TenantId>(),
  name: text(),
  description: nullable(text()),
  email: nullable(text()),
  /** labels below the tenant's `email_domain`, in lower case */
  email_subdomain: nullable(text()),
  labels: jsonb<Labels>({ default: {} }),
  protected: boolean({ default: false }),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type DivisionRow = RowOf<typeof Division>;

export const findDivision = (db: Database, { tenant_id, division_id }: DivisionPath) =>
  db.manager.findOneBy(Division, { id: division_id, tenant_id });

export const findFirstDivision = (db: Database, tenantId: TenantId) =>
  db.manager.findOne(Division, { where: { tenant_id: tenantId }, order: { id: 'ASC' } });

export const listDivisions = (
  db: Database,
  tenantId: TenantId,
  { byDefault, exceptions }: Visibility<DivisionId>,
  label: string | undefined,
  page: Page,
) => {
  const source = `divisions WHERE tenant_id = $1 AND (id = ANY ($2)) <> $3 AND ${labelCondition(4)}`;
  const values = [tenantId, exceptions, byDefault, ...labelValues(label)];
  return pageOfRows<DivisionRow>(db, page, source, values);
};

/** All divisions of a tenant, oldest first: its plan keeps that to some hundred rows. */
export const listAllDivisions = (db: Database, tenantId: TenantId) =>
  db.manager.find(Division, { where: { tenant_id: tenantId }, order: { id: 'ASC' } });

export async function findDivisionNames(
  db: Database,
  tenantId: TenantId,
  ids: DivisionId[],
): Promise<Map<DivisionId, string>> {
  if (ids.length === 0) return new Map();
  const divisions = await db.manager.findBy(Division, { tenant_id: tenantId, id: In(ids) });
  return new Map(divisions.map(({ id, name }) => [id, name]));
}

export const hasSubdomain = (db: Database, tenantId: TenantId, subdomain: string) =>
  db.manager.existsBy(Division, { tenant_id: tenantId, email_subdomain: subdomain });

export const findProtectedDivision = (db: Database, tenantId: TenantId) =>
  db.manager.findOne(Division, {
    where: { tenant_id: tenantId, protected: true },
    order: { id: 'ASC' },
  });

export const countDivisions = (db: Database, tenantId: TenantId) =>
  db.manager.countBy(Division, { tenant_id: tenantId });

export async function insertDivision(
  db: Database,
  division: Pick<DivisionRow, 'tenant_id' | 'name'> & Partial<DivisionRow>,
): Promise<DivisionRow> {
  const row = newRow(db, Division, division);
  await uniquelyNamed(db.manager.insert(Division, row));
  return row;
}

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

export const deleteDivision = (db: Database, id: DivisionId) => db.manager.delete(Division, { id });

export const deleteDivisionsOf = (db: Database, tenantId: TenantId) =>
  db.manager.delete(Division, { tenant_id: tenantId });
