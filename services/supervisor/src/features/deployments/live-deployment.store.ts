import type { DeploymentId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { sql, type Selectable } from 'kysely';
import { jsonArrayFrom, jsonObjectFrom } from 'kysely/helpers/postgres';
import type { Database, Tables } from '@sluice/region-store/tables';
import type { Deployment } from '@sluice/region-store/deployments.store';
import type { DnsRecord } from '@sluice/region-store/dns-records.store';
import type { Node } from '@sluice/region-store/nodes.store';

/** What is shown of a node. */
const shown = [
  ...(['id', 'name', 'position', 'agent_version', 'last_heartbeat_at', 'runtimes', 'connectors'] as const),
  ...(['ports', 'unreachable_since', 'address', 'cluster', 'machine', 'public_key'] as const),
  ...(['broker_stopped', 'connection_changed_at', 'broker_changed_at'] as const),
] as const;
export type ShownNode = Pick<Node, (typeof shown)[number]>;
const shownColumns = shown.map((column) => `nodes.${column}` as const);
/** A row out of JSON, which has no instants. */
type Json<Row> = {
  [Column in keyof Row]: Row[Column] extends Date
    ? string
    : Row[Column] extends Date | null
      ? string | null
      : Row[Column];
};

function shownNode(node: Json<ShownNode>): ShownNode {
  const { last_heartbeat_at, unreachable_since } = node;
  const instant = (text: string | null) => (text === null ? null : new Date(text));
  return {
    ...node,
    last_heartbeat_at: instant(last_heartbeat_at),
    unreachable_since: instant(unreachable_since),
    connection_changed_at: new Date(node.connection_changed_at),
    broker_changed_at: new Date(node.broker_changed_at),
  };
}

export type ActiveConfig = Pick<
  Selectable<Tables['configs']>,
  'id' | 'kind' | 'name' | 'version' | 'runtime_version'
>;

/** What is shown of a deployment with what belongs to it. */
export interface LiveDeployment {
  deployment: Deployment;
  /** in their order */
  nodes: ShownNode[];
  records: DnsRecord[];
  /** those that nodes run by, by kind */
  configs: ActiveConfig[];
  /** those that are not gone, oldest first */
  links: Pick<Selectable<Tables['network_links']>, 'id' | 'name' | 'kind'>[];
  /** those that are stored */
  conditions: ShownCondition[];
  /** null where deployments have none, and before the first is asked for */
  certificate: Json<
    Pick<
      Selectable<Tables['deployment_certificates']>,
      'not_before' | 'not_after' | 'failures' | 'last_error'
    >
  > | null;
  access: { rules: number; endless: boolean; last_end: string | null };
}

/** Its time is a text where it is out of JSON. */
export type ShownCondition = Pick<
  Selectable<Tables['deployment_conditions']>,
  'type' | 'status' | 'reason' | 'message'
> & { changed_at: string | Date };

/** One statement. @throws Problem `not_found`, also when it was deleted since the request was authorized */
export async function getLiveDeployment(db: Database, id: DeploymentId): Promise<LiveDeployment> {
  const row = await db
    .selectFrom('deployments')
    .selectAll()
    .select((deployment) => [
      jsonArrayFrom(
        deployment
          .selectFrom('nodes')
          .select(shownColumns)
          .whereRef('deployment_id', '=', 'deployments.id')
          .orderBy('position'),
      ).as('nodes'),
      jsonArrayFrom(
        deployment
          .selectFrom('dns_records')
          .select(['domain', 'address'])
          .whereRef('deployment_id', '=', 'deployments.id')
          .orderBy('domain'),
      ).as('records'),
      jsonArrayFrom(
        deployment
          .selectFrom('configs_applied')
          .innerJoin('configs', (join) => join.on(sql<boolean>`configs.id = ${runBy}`))
          .select(['configs.id', 'configs.kind', 'name', 'version', 'runtime_version'])
          .whereRef('configs_applied.deployment_id', '=', 'deployments.id')
          .orderBy('configs.kind'),
      ).as('configs'),
      jsonArrayFrom(
        deployment
          .selectFrom('network_links')
          .select(['network_links.id', 'kind', 'name'])
          .whereRef('deployment_id', '=', 'deployments.id')
          .where('deleted_at', 'is', null)
          .orderBy('network_links.id'),
      ).as('links'),
      jsonArrayFrom(
        deployment
          .selectFrom('deployment_conditions')
          .select(['type', 'deployment_conditions.status', 'reason', 'message', 'changed_at'])
          .whereRef('deployment_id', '=', 'deployments.id'),
      ).as('conditions'),
      jsonObjectFrom(
        deployment
          .selectFrom('deployment_certificates')
          .select(['not_before', 'not_after', 'failures', 'last_error'])
          .whereRef('deployment_id', '=', 'deployments.id'),
      ).as('certificate'),
      jsonObjectFrom(
        deployment
          .selectFrom('access_rules')
          .select([
            sql<number>`count(*)`.as('rules'),
            sql<boolean>`coalesce(bool_or(valid_to IS NULL), false)`.as('endless'),
            sql<string | null>`max(valid_to)`.as('last_end'),
          ])
          .whereRef('deployment_id', '=', 'deployments.id'),
      )
        .$notNull()
        .as('access'),
    ])
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw problem('not_found');
  const { nodes, records, configs, links, conditions, certificate, access, ...deployment } = row;
  return {
    deployment,
    nodes: nodes.map(shownNode),
    records,
    configs,
    links,
    conditions,
    certificate,
    access,
  };
}

/** What nodes run by: until the task that applies another configuration is done, the one before (tasks_open). */
const underWay = sql`FROM tasks
  WHERE tasks.deployment_id = deployments.id AND tasks.config_id = configs_applied.config_id
    AND status = 'running' AND finished_at IS NULL`;
const runBy = sql`CASE
  WHEN EXISTS (SELECT ${underWay}) THEN (SELECT former_config_id ${underWay} LIMIT 1)
  ELSE configs_applied.config_id END`;
