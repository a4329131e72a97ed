import type { DivisionId, TenantId, Visibility } from '@sluice/contracts';
import type { Page } from '@sluice/service-kit';
import type { Database } from '../database.ts';
import { uniquely } from '../changes.ts';
import { Division, type DivisionRow } from './divisions.entity.ts';

export async function findDivision(
  db: Database,
  tenantId: TenantId,
  id: DivisionId,
): Promise<DivisionRow | null> {
  return await db.manager.findOneBy(Division, { id, tenant_id: tenantId });
}

export async function findFirstDivision(db: Database, tenantId: TenantId): Promise<DivisionRow | null> {
  return await db.manager.findOne(Division, { where: { tenant_id: tenantId }, order: { id: 'ASC' } });
}

export async function listDivisions(
  db: Database,
  tenantId: TenantId,
  { byDefault, exceptions }: Visibility<DivisionId>,
  { offset, results }: Page,
): Promise<[DivisionRow[], number]> {
  return await db.manager
    .createQueryBuilder(Division, 'division')
    .where('division.tenant_id = :tenantId', { tenantId })
    .andWhere('(division.id = ANY (:exceptions)) <> :byDefault', { exceptions, byDefault })
    .orderBy('division.created_at', 'DESC')
    .addOrderBy('division.id', 'DESC')
    .skip(offset)
    .take(results)
    .getManyAndCount();
}

export async function countDivisions(db: Database, tenantId: TenantId): Promise<number> {
  return await db.manager.countBy(Division, { tenant_id: tenantId });
}

/** @throws Problem `name_taken` */
export async function insertDivision(
  db: Database,
  division: Pick<DivisionRow, 'tenant_id' | 'name' | 'description' | 'email'>,
): Promise<DivisionRow> {
  const row = db.manager.create(Division, division);
  await uniquely('divisions_name_key', db.manager.insert(Division, row));
  return row;
}

/** @throws Problem `name_taken` */
export async function updateDivision(
  db: Database,
  id: DivisionId,
  changes: Partial<DivisionRow>,
): Promise<void> {
  await uniquely('divisions_name_key', db.manager.update(Division, { id }, changes));
}

export async function deleteDivision(db: Database, id: DivisionId): Promise<void> {
  await db.manager.delete(Division, { id });
}
