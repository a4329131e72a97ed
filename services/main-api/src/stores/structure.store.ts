import type { Cloud, DeploymentId, DivisionId, EnvironmentId, TenantId, Tier } from '@sluice/contracts';
import type { Database } from '../database.ts';

export interface StructureDeploymentRow {
  id: DeploymentId;
  name: string;
  division_id: DivisionId;
  environment_id: EnvironmentId;
  cloud: Cloud;
  region: string;
  variant: string;
  tier: Tier;
  supervisor_url: string;
}

/** Everything in a tenant, oldest first: its plan keeps that to some hundred rows. */
export async function readStructure(db: Database, tenantId: TenantId) {
  const [divisions, environments, deployments] = await Promise.all([
    db.query<{ id: DivisionId; name: string }>(
      'SELECT id, name FROM divisions WHERE tenant_id = $1 ORDER BY id',
      [tenantId],
    ),
    db.query<{ id: EnvironmentId; name: string; division_id: DivisionId }>(
      'SELECT id, name, division_id FROM environments WHERE tenant_id = $1 ORDER BY id',
      [tenantId],
    ),
    db.query<StructureDeploymentRow>(
      `SELECT d.id, d.name, d.division_id, d.environment_id, d.cloud, d.region, d.variant, d.tier, r.supervisor_url
       FROM deployments d JOIN regions r ON r.cloud = d.cloud AND r.region = d.region
       WHERE d.tenant_id = $1 ORDER BY d.id`,
      [tenantId],
    ),
  ]);
  return { divisions, environments, deployments };
}
