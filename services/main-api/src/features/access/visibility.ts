import { seesDivision, type DivisionId, type TenantId } from '@sluice/contracts';
import { problem, type Caller } from '@sluice/service-kit';
import type { Database } from '../../database.ts';
import type { DivisionRow } from '../../stores/divisions.entity.ts';
import { findDivision } from '../../stores/divisions.store.ts';

/** The division of a path. @throws Problem `not_found`, also when the caller may not see it */
export async function requireDivision(
  db: Database,
  { permissions }: Caller,
  tenantId: TenantId,
  id: DivisionId,
): Promise<DivisionRow> {
  const division = await findDivision(db, tenantId, id);
  if (!division || !seesDivision(permissions, id)) throw problem('not_found');
  return division;
}
