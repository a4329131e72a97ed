import type { AccessRuleId, DeploymentId } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '@sluice/region-store/tables';

export interface Admitting {
  deployment_id: DeploymentId;
  /** null for a deployment without such a rule */
  id: AccessRuleId | null;
  cidr_blocks: readonly string[] | null;
}

/** The rules that admit to `broker_websocket` now. Deployments that are gone, or being deleted, are left out. */
export async function findAdmitting(db: Database, ids: readonly DeploymentId[]): Promise<Admitting[]> {
  const { rows } = await sql<Admitting>`
    SELECT deployments.id AS deployment_id, access_rules.id, access_rules.cidr_blocks
    FROM deployments
    LEFT JOIN access_rules ON access_rules.deployment_id = deployments.id AND 'broker_websocket' = ANY (protocols)
                          AND (valid_to IS NULL OR valid_to > now())
    WHERE deployments.id = ANY (${[...ids]}::bigint[]) AND deleted_by IS NULL AND unknown_since IS NULL`.execute(
    db,
  );
  return rows;
}
