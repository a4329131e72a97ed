import type { DivisionId, EnvironmentId, Labels, Ref, TenantId, Visibility } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { In } from 'typeorm';
import { labelCondition, labelValues } from './labels.ts';
import type { Database } from './database.ts';
import type { DivisionPath } from './divisions.store.ts';
import { firstOf, ignoringCase, insertRow, pageOfRows, takeRows, uniquely } from './rows.ts';
import { bigint, boolean, id, jsonb, nullable, table, text, time, type RowOf } from './columns.ts';

export interface EnvironmentPath extends DivisionPath {
  environment_id: EnvironmentId;
}

export const Environment = table('environments', {
  id: id<EnvironmentId>(),
  tenant_id: bigint<TenantId>(),
  division_id: bigint<DivisionId>(),
  name: text(),
  description: nullable(text()),
  labels: jsonb<Labels>({ default: {} }),
  protected: boolean({ default: false }),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type EnvironmentRow = RowOf<typeof Environment>;

export const findEnvironment = (db: Database, { tenant_id, division_id, environment_id }: EnvironmentPath) =>
  db.manager.findOneBy(Environment, { id: environment_id, tenant_id, division_id });

/** In any division. */
export const findEnvironmentOf = (db: Database, tenant_id: TenantId, id: EnvironmentId) =>
  db.manager.findOneBy(Environment, { id, tenant_id });

export const findEnvironmentByName = (db: Database, divisionId: DivisionId, name: string) =>
  db.manager.findOneBy(Environment, { division_id: divisionId, name: ignoringCase(name) });

/** The environments of a division; the caller has made sure of its place. */
export const listEnvironments = (
  db: Database,
  { division_id }: Pick<DivisionPath, 'division_id'>,
  { byDefault, exceptions }: Visibility<EnvironmentId>,
  label: string | undefined,
  page: Page,
) => {
  const source = `environments WHERE division_id = $1 AND (id = ANY ($2)) <> $3 AND ${labelCondition(4)}`;
  const values = [division_id, exceptions, byDefault, ...labelValues(label)];
  return pageOfRows<EnvironmentRow>(db, page, source, values);
};

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

/** The most environments that a division of a tenant has. */
export async function mostEnvironments(db: Database, tenantId: TenantId): Promise<number> {
  const most = db.query<{ most: number | null }>(
    'SELECT max(count) AS most FROM (SELECT count(*) FROM environments WHERE tenant_id = $1 GROUP BY division_id) counts',
    [tenantId],
  );
  return (await firstOf(most))?.most ?? 0;
}

export const insertEnvironment = (
  db: Database,
  environment: Pick<EnvironmentRow, 'tenant_id' | 'division_id' | 'name'> & Partial<EnvironmentRow>,
) => insertRow(db, Environment, environment, 'environments_name_key');

export const updateEnvironment = (db: Database, id: EnvironmentId, changes: Partial<EnvironmentRow>) =>
  uniquely('environments_name_key', db.manager.update(Environment, { id }, changes));

export const deleteEnvironment = (db: Database, id: EnvironmentId) => db.manager.delete(Environment, { id });

export const deleteEnvironments = (db: Database, divisionId: DivisionId): Promise<Ref<EnvironmentId>[]> =>
  takeRows(db, Environment, { division_id: divisionId }, 'id, name');

export const deleteEnvironmentsOf = (db: Database, tenantId: TenantId) =>
  db.manager.delete(Environment, { tenant_id: tenantId });
