import type { DivisionId, EnvironmentId, Ref, TenantId, Visibility } from '@sluice/contracts';
import type { Page } from '@sluice/service-kit';
import type { Database } from '../database.ts';
import { uniquely } from '../changes.ts';
import { Environment, type EnvironmentRow } from './environments.entity.ts';

/** Where an environment stands: a wrong tenant or division in a path finds nothing. */
export interface EnvironmentPlace {
  tenant_id: TenantId;
  division_id: DivisionId;
}

export async function findEnvironment(
  db: Database,
  { tenant_id, division_id }: EnvironmentPlace,
  id: EnvironmentId,
): Promise<EnvironmentRow | null> {
  return await db.manager.findOneBy(Environment, { id, tenant_id, division_id });
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

export async function listEnvironments(
  db: Database,
  { tenant_id, division_id }: EnvironmentPlace,
  { byDefault, exceptions }: Visibility<EnvironmentId>,
  { offset, results }: Page,
): Promise<[EnvironmentRow[], number]> {
  return await db.manager
    .createQueryBuilder(Environment, 'environment')
    .where('environment.tenant_id = :tenant_id AND environment.division_id = :division_id', {
      tenant_id,
      division_id,
    })
    .andWhere('(environment.id = ANY (:exceptions)) <> :byDefault', { exceptions, byDefault })
    .orderBy('environment.created_at', 'DESC')
    .addOrderBy('environment.id', 'DESC')
    .skip(offset)
    .take(results)
    .getManyAndCount();
}

export async function countEnvironments(
  db: Database,
  where: { tenant_id: TenantId } | { division_id: DivisionId },
): Promise<number> {
  return await db.manager.countBy(Environment, where);
}

/** @throws Problem `name_taken` */
export async function insertEnvironment(
  db: Database,
  environment: EnvironmentPlace & Pick<EnvironmentRow, 'name' | 'description'>,
): Promise<EnvironmentRow> {
  const row = db.manager.create(Environment, environment);
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
