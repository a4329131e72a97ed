import { seesEnvironment, type EnvironmentId } from '@sluice/contracts';
import { problem, type Caller } from '@sluice/service-kit';
import type { Database } from '../../database.ts';
import type { EnvironmentRow } from '../../stores/environments.entity.ts';
import { findEnvironment, type EnvironmentPlace } from '../../stores/environments.store.ts';

/** The environment of a path. @throws Problem `not_found`, also when the caller may not see it */
export async function requireEnvironment(
  db: Database,
  { permissions }: Caller,
  place: EnvironmentPlace,
  id: EnvironmentId,
): Promise<EnvironmentRow> {
  const environment = await findEnvironment(db, place, id);
  if (!environment || !seesEnvironment(permissions, place.division_id, id)) throw problem('not_found');
  return environment;
}
