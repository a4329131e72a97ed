import {
  idOf,
  type DeploymentId,
  type DivisionId,
  type EnvironmentId,
  type TenantId,
} from '@sluice/contracts';
import type { Subjects } from '@sluice/messaging';
import type { Database } from '@sluice/main-store/database';
import { findDeployments } from '@sluice/main-store/deployments.store';
import { findDivision } from '@sluice/main-store/divisions.store';
import { findEnvironment } from '@sluice/main-store/environments.store';
import { findTerms } from '@sluice/main-store/tenants.store';

/** What of a tenant the ids of a path name, for what is recorded of refused requests; null when the tenant is gone. */
export async function namedIn(
  db: Database,
  tenant_id: TenantId,
  ids: Record<string, number>,
): Promise<Pick<Subjects, 'division' | 'environment' | 'deployment'> | null> {
  if ((await findTerms(db, [tenant_id])).length === 0) return null;
  const { division_id, environment_id, deployment_id } = ids;
  if (ids['tenant_id'] !== tenant_id || division_id === undefined) return {};
  const path = { tenant_id, division_id: idOf<DivisionId>(division_id) };
  const division = await findDivision(db, path);
  if (!division || environment_id === undefined) return { division: refOf(division) };
  const place = { ...path, environment_id: idOf<EnvironmentId>(environment_id) };
  const environment = await findEnvironment(db, place);
  const found = { division: refOf(division), environment: refOf(environment) };
  if (!environment || deployment_id === undefined) return found;
  const [deployment] = await findDeployments(db, [idOf<DeploymentId>(deployment_id)]);
  if (deployment?.environment_id !== environment.id) return found;
  const { id, name, uid } = deployment;
  return { ...found, deployment: { id, name, uid } };
}

const refOf = <Row extends { id: number; name: string }>(row: Row | null | undefined) =>
  row ? { id: row.id as Row['id'], name: row.name } : null;
