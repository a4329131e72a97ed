import type { DivisionId, EnvironmentId, Ref, TenantId, Visibility } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { In } from 'typeorm';
import type { Database } from '../database.ts';
import type { DivisionPath } from './divisions.store.ts';
import { insertRow, pageOfRows, uniquely } from './rows.ts';
import { bigint, boolean, id, nullable, table, text, time, type RowOf } from './columns.ts';

export interface EnvironmentPath extends DivisionPath {
  environment_id: EnvironmentId;
}

export const Environment = table('environments', {
  id: id<EnvironmentId>(),
  tenant_id: bigint<TenantId>(),
  division_id: bigint<DivisionId>(),
  name: text(),
  description: nullable(text()),
  protected: boolean({ default: false }),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type EnvironmentRow = RowOf<typeof Environment>;

export const findEnvironment = (db: Database, { tenant_id, division_id, environment_id }: EnvironmentPath) =>
  db.manager.findOneBy(Environment, { id: environment_id, tenant_id, division_id });

export const findEnvironmentByName = (db: Database, divisionId: DivisionId, name: string) =>
  db.manager
    .createQueryBuilder(Environment, 'environment')
    .where('environment.division_id = :divisionId AND lower(environment.name) = lower(:name)', {
      divisionId,
      name,
    })
    .getOne();

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

export async function findEnvironments(
  db: Database,
  tenantId: TenantId,
  ids: EnvironmentId[],
): Promise<Map<EnvironmentId, EnvironmentRow>> {
  if (ids.length === 0) return new Map();
  const environments = await db.manager.findBy(Environment, { tenant_id: tenantId, id: In(ids) });
  return new Map(environments.map((environment) => [environment.id, environment]));
}

export const findProtectedEnvironment = (
  db: Database,
  where: { tenant_id: TenantId } | { division_id: DivisionId },
) =>
  db.manager.findOne(Environment, {
    where: { ...where, protected: true },
    order: { id: 'ASC' },
  });

export const countEnvironments = (
  db: Database,
  where: { tenant_id: TenantId } | { division_id: DivisionId },
) => db.manager.countBy(Environment, where);

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
export const insertEnvironment = (
  db: Database,
  environment: Pick<EnvironmentRow, 'tenant_id' | 'division_id' | 'name'> & Partial<EnvironmentRow>,
) => insertRow(db, Environment, environment, 'environments_name_key');

/** @throws Problem `name_taken` */
export const updateEnvironment = (db: Database, id: EnvironmentId, changes: Partial<EnvironmentRow>) =>
  uniquely('environments_name_key', db.manager.update(Environment, { id }, changes));

export const deleteEnvironment = (db: Database, id: EnvironmentId) => db.manager.delete(Environment, { id });

export const deleteEnvironments = (db: Database, divisionId: DivisionId) =>
  db.query<Ref<EnvironmentId>>('DELETE FROM environments WHERE division_id = $1 RETURNING id, name', [
    divisionId,
  ]);

export const deleteEnvironmentsOf = (db: Database, tenantId: TenantId) =>
  db.manager.delete(Environment, { tenant_id: tenantId });
