import type { BrokerResources, DeploymentSpec, NodeId } from '@sluice/contracts';
import { sql } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Database } from '@sluice/region-store/tables';
import { hasKey } from '@sluice/region-store/nodes.store';
import { connectorsStopped } from '@sluice/region-store/stopped-runtimes.store';

export type DesiredDeployment = NonNullable<Awaited<ReturnType<typeof findDesired>>>;

/** What a node's desired state is made of, its access rules apart; undefined unless the node has this key. */
export async function findDesired(db: Database, nodeId: NodeId, key: string) {
  return await db
    .selectFrom('nodes')
    .innerJoin('deployments', 'deployments.id', 'nodes.deployment_id')
    .leftJoin('configs_applied', (join) =>
      join.onRef('configs_applied.deployment_id', '=', 'deployments.id').on('kind', '=', 'broker'),
    )
    .leftJoin('deployment_upgrades', (join) =>
      join
        .onRef('deployment_upgrades.deployment_id', '=', 'deployments.id')
        .onRef('deployment_upgrades.upgrade_id', '=', 'nodes.upgrade_id'),
    )
    .leftJoin('deployment_certificates as certificates', 'certificates.deployment_id', 'deployments.id')
    .select([
      'deployments.id',
      'plain_text',
      'traceparent',
      'traced_at',
      'certificates.certificate',
      'certificates.sealed_key',
      'certificates.authority',
      'certificates.server_name',
      sql<DeploymentSpec['cluster']>`spec ->> 'cluster'`.as('kind'),
      (deployment) =>
        jsonObjectFrom(
          deployment
            .selectFrom('deployment_clusters')
            .select([
              'deployment_clusters.username',
              'deployment_clusters.sealed_password',
              'deployment_clusters.certificate',
              'deployment_clusters.sealed_key',
              'deployment_clusters.authority',
              'former_authority',
              'routes',
              'turn_node_id',
            ])
            .whereRef('deployment_clusters.deployment_id', '=', 'deployments.id'),
        ).as('cluster'),
      sql<string>`spec ->> 'name'`.as('name'),
      'nodes.name as node_name',
      'revision',
      // not null while the region does not know whether its rules and login are the newest
      'access_question',
      'applied_revision',
      'username',
      'sealed_password',
      sql<boolean>`broker_stopped OR limited_until IS NOT NULL`.as('broker_stopped'),
      // where they are stopped for a backup only
      sql<Date | null>`(
        SELECT deadline FROM volume_work
        WHERE volume_work.deployment_id = deployments.id AND kind = 'backup' AND step IN ('quiescing', 'copying')
          AND former_states @> jsonb_build_array(jsonb_build_object('node_id', nodes.id, 'stopped', false))
      )`.as('stopped_until'),
      connectorsStopped.as('connectors_stopped'),
      sql<boolean>`leaving_at IS NOT NULL`.as('leaving'),
      sql<BrokerResources>`coalesce(deployment_upgrades.resources, spec -> 'limits')`.as('resources'),
      sql<number>`(SELECT count(*) FROM nodes AS all_nodes WHERE all_nodes.deployment_id = deployments.id)`.as(
        'nodes',
      ),
      (node) =>
        jsonObjectFrom(
          node
            .selectFrom('configs')
            .select(['configs.id', 'configs.name', 'version', 'sealed_values'])
            .whereRef('configs.id', '=', 'configs_applied.config_id'),
        ).as('config'),
    ])
    .where('nodes.id', '=', nodeId)
    .where(hasKey(key))
    .executeTakeFirst();
}
