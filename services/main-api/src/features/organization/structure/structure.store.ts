import type { DivisionId, EnvironmentId, TenantId, Visibility } from '@sluice/contracts';
import type { Database } from '@sluice/main-store/database';
import type { components } from '../../../generated/api.ts';
import { firstOf } from '@sluice/main-store/rows';

type Structure = components['schemas']['Structure'];

/** How many deployments an environment has; a division without environments is a row without one. */
export interface EnvironmentCount {
  division_id: DivisionId;
  environment_id: EnvironmentId | null;
  deployments: number;
}

/** Each level oldest first (interface, 2.4). */
export const findStructure = (
  db: Database,
  tenantId: TenantId,
  { byDefault, exceptions }: Visibility<DivisionId>,
) =>
  firstOf(
    db.query<Structure>(
      `SELECT t.id, t.name, coalesce((
       SELECT json_agg(json_build_object('id', v.id, 'name', v.name, 'environments', coalesce((
         SELECT json_agg(json_build_object('id', e.id, 'name', e.name, 'deployments', coalesce((
           SELECT json_agg(json_build_object('id', d.id, 'name', d.name, 'cloud', d.cloud, 'region', d.region,
               'variant', d.variant, 'tier', d.tier, 'supervisor_url', r.supervisor_url) ORDER BY d.id)
           FROM deployments d JOIN regions r ON r.cloud = d.cloud AND r.region = d.region
           WHERE d.environment_id = e.id), '[]')) ORDER BY e.id)
         FROM environments e WHERE e.division_id = v.id), '[]')) ORDER BY v.id)
       FROM divisions v WHERE v.tenant_id = t.id AND (v.id = ANY ($2)) <> $3), '[]') AS divisions
     FROM tenants t WHERE t.id = $1`,
      [tenantId, exceptions, byDefault],
    ),
  );

export const countStructure = (
  db: Database,
  tenantId: TenantId,
  { byDefault, exceptions }: Visibility<DivisionId>,
) =>
  db.query<EnvironmentCount>(
    `SELECT v.id AS division_id, e.id AS environment_id,
       (SELECT count(*) FROM deployments d WHERE d.environment_id = e.id) AS deployments
     FROM divisions v LEFT JOIN environments e ON e.division_id = v.id
     WHERE v.tenant_id = $1 AND (v.id = ANY ($2)) <> $3`,
    [tenantId, exceptions, byDefault],
  );
