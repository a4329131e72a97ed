import type { DivisionId, EnvironmentId, Ref, TenantId, Visibility } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { In } from 'typeorm';
import type { Database } from '../database.ts';
import type { DivisionPath } from './divisions.entity.ts';
import { Environment, type EnvironmentPath, type EnvironmentRow } from './environments.entity.ts';
import { newRow, pageOfRows, uniquely } from './rows.ts';

export async function findEnvironment(
  db: Database,
  { tenant_id, division_id, environment_id }: EnvironmentPath,
): Promise<EnvironmentRow | null> {
  return await db.manager.findOneBy(Environment, { id: environment_id, tenant_id, division_id });
}

export async function findEnvironmentByName(
  db: Database,
  divisionId: DivisionId,
  name: string,
): Promise<EnvironmentRow | null> {
  return await db.manager
    .createQueryBuilder(Environment, 'environment')
    .where('environment.division_id = :divisionId AND lower(environment.name) = lower(:name)', {
      divisionId,
      name,
    })
    .getOne();
}

/** The environments of a division; the caller has made sure of its place. */
export async function listEnvironments(
  db: Database,
  { division_id }: Pick<DivisionPath, 'division_id'>,
  { byDefault, exceptions }: Visibility<EnvironmentId>,
  page: Page,
): Promise<[EnvironmentRow[], number]> {
  const source = 'environments WHERE division_id = $1 AND (id = ANY ($2)) <> $3';
  return await pageOfRows<EnvironmentRow>(db, '*', source, [division_id, exceptions, byDefault], page);
}

/** Those of these environments that the tenant has, by their ids. */
export async function findEnvironments(
  db: Database,
  tenantId: TenantId,
  ids: EnvironmentId[],
): Promise<Map<EnvironmentId, EnvironmentRow>> {
  if (ids.length === 0) return new Map();
  const environments = await db.manager.findBy(Environment, { tenant_id: tenantId, id: In(ids) });
  return new Map(environments.map((environment) => [environment.id, environment]));
}

/** The first protected environment of a tenant or of a division. */
export async function findProtectedEnvironment(
  db: Database,
  where: { tenant_id: TenantId } | { division_id: DivisionId },
): Promise<EnvironmentRow | null> {
  return await db.manager.findOne(Environment, {
    where: { ...where, protected: true },
    order: { id: 'ASC' },
  });
}

export async function countEnvironments(
  db: Database,
  where: { tenant_id: TenantId } | { division_id: DivisionId },
): Promise<number> {
  return await db.manager.countBy(Environment, where);
}

/** How many environments that division of a tenant has which has the most. */
export async function mostEnvironments(db: Database, tenantId: TenantId): Promise<number> {
  const [row] = await db.query<{ most: number }>(
    `SELECT coalesce(max(count), 0) AS most
     FROM (SELECT count(*) FROM environments WHERE tenant_id = $1 GROUP BY division_id) counts`,
    [tenantId],
  );
  return row?.most ?? 0;
}

/** @throws Problem `name_taken` */
export async function insertEnvironment(
  db: Database,
  environment: Pick<EnvironmentRow, 'tenant_id' | 'division_id' | 'name'> & Partial<EnvironmentRow>,
): Promise<EnvironmentRow> {
  const row = newRow(db, Environment, environment);
  await uniquely('environments_name_key', db.manager.insert(Environment, row));
  return row;
}

/** @throws Problem `name_taken` */
export async function updateEnvironment(
  db: Database,
  id: EnvironmentId,
  changes: Partial<EnvironmentRow>,
): Promise<void> {
  await uniquely('environments_name_key', db.manager.update(Environment, { id }, changes));
}

export async function deleteEnvironment(db: Database, id: EnvironmentId): Promise<void> {
  await db.manager.delete(Environment, { id });
}

/** Deletes all environments of a division and tells which there were. */
export async function deleteEnvironments(
  db: Database,
  divisionId: DivisionId,
): Promise<Ref<EnvironmentId>[]> {
  return await db.query<Ref<EnvironmentId>>(
    'DELETE FROM environments WHERE division_id = $1 RETURNING id, name',
    [divisionId],
  );
}

export async function deleteEnvironmentsOf(db: Database, tenantId: TenantId): Promise<void> {
  await db.manager.delete(Environment, { tenant_id: tenantId });
}
