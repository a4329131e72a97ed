import { seesDivision, seesEnvironment } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import { problem } from '@sluice/service';
import type { Database } from '@sluice/main-store/database';
import { type DivisionPath, type DivisionRow, findDivision } from '@sluice/main-store/divisions.store';
import {
  type EnvironmentPath,
  type EnvironmentRow,
  findEnvironment,
} from '@sluice/main-store/environments.store';

/** The division of a path. @throws Problem `not_found`, also when the caller may not see it */
export async function getVisibleDivision(
  db: Database,
  { permissions }: Caller,
  path: DivisionPath,
): Promise<DivisionRow> {
  const division = await findDivision(db, path);
  if (!division || !seesDivision(permissions, path.division_id)) throw problem('not_found');
  return division;
}

/** The environment of a path. @throws Problem `not_found`, also when the caller may not see it */
export async function getVisibleEnvironment(
  db: Database,
  { permissions }: Caller,
  path: EnvironmentPath,
): Promise<EnvironmentRow> {
  const environment = await findEnvironment(db, path);
  if (!environment || !seesEnvironment(permissions, path.division_id, path.environment_id))
    throw problem('not_found');
  return environment;
}
