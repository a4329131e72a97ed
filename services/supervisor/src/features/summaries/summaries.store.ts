import type { BrokerStatistics, DivisionId, EnvironmentId, TenantId } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '@sluice/region-store/tables';

/** The counts of one environment. */
export type EnvironmentCounts = {
  division_id: DivisionId;
  environment_id: EnvironmentId;
  healthy_deployments: number;
  unhealthy_deployments: number;
  healthy_nodes: number;
  unhealthy_nodes: number;
  /** instances of connectors, however they are */
  connectors: number;
} & BrokerStatistics;

/**
 * Counts a tenant's deployments by environment; with `divisionId` those of one division. Nodes that are not heard of
 * are not healthy, and what they hold is not known.
 */
export async function countByEnvironment(
  db: Database,
  tenantId: TenantId,
  divisionId: DivisionId | null,
): Promise<EnvironmentCounts[]> {
  const { rows } = await sql<EnvironmentCounts>`
    WITH node AS (
      SELECT deployment_id,
             last_heartbeat_at IS NOT NULL AND unreachable_since IS NULL AS heard,
             last_heartbeat_at IS NOT NULL AND unreachable_since IS NULL
               AND runtimes @> '[{"runtime": "broker", "status": "running"}]' AS healthy,
             statistics
      FROM nodes
    ), deployment AS (
      SELECT deployments.id, division_id, environment_id,
             status = 'initialized' AND bool_and(healthy) AS healthy,
             count(*) FILTER (WHERE node.healthy) AS healthy_nodes,
             count(*) FILTER (WHERE NOT node.healthy) AS unhealthy_nodes,
             (SELECT count(*) FROM connector_instances AS instance
              WHERE instance.deployment_id = deployments.id) AS connectors,
             ${total('streams')}, ${total('topics')}, ${total('partitions')}, ${total('segments')},
             ${total('messages')}, ${total('consumer_groups')}, ${total('clients')}
      FROM deployments JOIN node ON deployment_id = deployments.id
      WHERE tenant_id = ${tenantId} AND unknown_since IS NULL AND (division_id = ${divisionId} OR ${divisionId}::bigint IS NULL)
      GROUP BY deployments.id
    )
    SELECT division_id, environment_id,
           count(*) FILTER (WHERE healthy) AS healthy_deployments,
           count(*) FILTER (WHERE NOT healthy) AS unhealthy_deployments,
           sum(healthy_nodes)::bigint AS healthy_nodes,
           sum(unhealthy_nodes)::bigint AS unhealthy_nodes,
           sum(connectors)::bigint AS connectors, sum(streams)::bigint AS streams, sum(topics)::bigint AS topics, sum(partitions)::bigint AS partitions,
           sum(segments)::bigint AS segments, sum(messages)::bigint AS messages,
           sum(consumer_groups)::bigint AS consumer_groups, sum(clients)::bigint AS clients
    FROM deployment
    GROUP BY division_id, environment_id`.execute(db);
  return rows;
}

const total = (
  statistic: keyof BrokerStatistics,
) => sql`coalesce(sum((node.statistics ->> ${sql.lit(statistic)})::bigint) FILTER (WHERE node.heard), 0)::bigint
    AS ${sql.ref(statistic)}`;
