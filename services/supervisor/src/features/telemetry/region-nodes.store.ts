import type { DeploymentId, NodeId, TenantId } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '@sluice/region-store/tables';

/** A node of the region, and what its programs have measured last. */
export interface RegionNode {
  id: NodeId;
  node: string;
  deployment_id: DeploymentId;
  tenant_id: TenantId;
  name: string;
  tier: string;
  agent_version: string | null;
  /** of its broker, as its agent has reported it last */
  broker: { status: string; version: string | null } | null;
  is_silent: boolean;
  /** whether its broker is there to run: it has been deployed, and neither a person nor the platform wants it stopped */
  is_wanted: boolean;
  samples: Record<string, Record<string, number>> | null;
}

export interface RegionNodesQuery {
  /** from the one behind this on */
  after: NodeId | 0;
  limit: number;
  /** older samples say nothing of now */
  freshSeconds: number;
}

/** The next nodes in the order of their ids, by the primary key; samples by telemetry_samples_by_deployment. */
export async function listRegionNodes(
  db: Database,
  { after, limit, freshSeconds }: RegionNodesQuery,
): Promise<RegionNode[]> {
  const { rows } = await sql<RegionNode>`
    SELECT nodes.id, nodes.name AS node, nodes.deployment_id, deployments.tenant_id, deployments.spec ->> 'name' AS name,
           deployments.spec ->> 'tier' AS tier, nodes.agent_version,
           (SELECT runtime FROM jsonb_array_elements(nodes.runtimes) AS runtime WHERE runtime ->> 'runtime' = 'broker' LIMIT 1)
             AS broker,
           nodes.last_heartbeat_at IS NULL OR nodes.unreachable_since IS NOT NULL AS is_silent,
           nodes.deployed_at IS NOT NULL AND NOT nodes.broker_stopped AND deployments.status NOT IN ('stopped', 'deleting')
             AS is_wanted,
           samples
    FROM (SELECT * FROM nodes WHERE id > ${after} ORDER BY id LIMIT ${limit}) AS nodes
    JOIN deployments ON deployments.id = nodes.deployment_id
    CROSS JOIN LATERAL (
      SELECT jsonb_object_agg(runtime, metrics) AS samples
      FROM (
        SELECT DISTINCT ON (runtime) runtime, metrics FROM telemetry_samples
        WHERE deployment_id = nodes.deployment_id AND at >= now() - make_interval(secs => ${freshSeconds})
          AND node_id = nodes.id AND instance_id = 0 AND runtime IN ('node', 'broker')
        ORDER BY runtime, at DESC
      ) AS newest
    ) AS measured
    ORDER BY nodes.id`.execute(db);
  return rows;
}

export const countNodes = async (db: Database) =>
  Number((await db.selectFrom('nodes').select(db.fn.countAll().as('count')).executeTakeFirstOrThrow()).count);
