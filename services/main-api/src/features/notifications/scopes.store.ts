import type { DivisionId, EnvironmentId, ScopeLevel, TenantId } from '@sluice/contracts';
import type { Database } from '@sluice/main-store/database';

/** Something that a scope names, with the place where it is. */
export interface ScopeRow {
  level: ScopeLevel;
  id: number;
  name: string;
  division_id: DivisionId | null;
  environment_id: EnvironmentId | null;
}

export async function findScopes(
  db: Database,
  tenantId: TenantId,
  ids: Record<ScopeLevel, number[]>,
): Promise<ScopeRow[]> {
  if (Object.values(ids).every((list) => list.length === 0)) return [];
  return await db.query<ScopeRow>(
    `SELECT 'tenants' AS level, id, name, NULL::bigint AS division_id, NULL::bigint AS environment_id
     FROM tenants WHERE id = $1 AND id = ANY ($2::bigint[])
     UNION ALL SELECT 'divisions', id, name, id, NULL FROM divisions WHERE tenant_id = $1 AND id = ANY ($3::bigint[])
     UNION ALL SELECT 'environments', id, name, division_id, id FROM environments
     WHERE tenant_id = $1 AND id = ANY ($4::bigint[])
     UNION ALL SELECT 'deployments', id, name, division_id, environment_id FROM deployments
     WHERE tenant_id = $1 AND id = ANY ($5::bigint[])`,
    [tenantId, ids.tenants, ids.divisions, ids.environments, ids.deployments],
  );
}
