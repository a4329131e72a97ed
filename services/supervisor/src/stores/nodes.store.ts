import type {
  BrokerResources,
  ConfigId,
  DeploymentId,
  DeploymentShape,
  Enrolment,
  Heartbeat,
  NodeId,
} from '@sluice/contracts';
import { sql, type Selectable } from 'kysely';
import { jsonObjectFrom } from 'kysely/helpers/postgres';
import type { NodeAddress } from '@sluice/drivers';
import { channels, notify } from '../database/signals.ts';
import type { Database, Tables } from '../database/tables.ts';
import { storedConnectors } from '../database/connector-reports.ts';
import type { Cluster } from './clusters.store.ts';
import { connectorsStopped } from './stopped-runtimes.store.ts';

export type Node = Selectable<Tables['nodes']>;

/** What is shown of a node. */
export const shownColumns = [
  'nodes.id',
  'nodes.name',
  'nodes.position',
  'nodes.agent_version',
  'nodes.last_heartbeat_at',
  'nodes.runtimes',
  'nodes.connectors',
  'nodes.ports',
  'nodes.unreachable_since',
  'nodes.address',
  'nodes.cluster',
  'nodes.machine',
  'nodes.public_key',
] as const;
export type ShownNode = Pick<
  Node,
  | 'id'
  | 'name'
  | 'position'
  | 'agent_version'
  | 'last_heartbeat_at'
  | 'runtimes'
  | 'connectors'
  | 'ports'
  | 'unreachable_since'
  | 'address'
  | 'cluster'
  | 'machine'
  | 'public_key'
>;
type Json<Row> = { [Column in keyof Row]: Row[Column] extends Date | null ? string | null : Row[Column] };

/** A node out of JSON, which has no instants. */
export function shownNode(node: Json<ShownNode>): ShownNode {
  const { last_heartbeat_at, unreachable_since } = node;
  const instant = (text: string | null) => (text === null ? null : new Date(text));
  return {
    ...node,
    last_heartbeat_at: instant(last_heartbeat_at),
    unreachable_since: instant(unreachable_since),
  };
}

/** The nodes of a deployment, in their order. */
export async function listNodes(db: Database, deploymentId: DeploymentId): Promise<Node[]> {
  return await db
    .selectFrom('nodes')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .orderBy('position')
    .execute();
}

/** The deployments that these nodes belong to, as far as there are any. */
export async function listDeploymentsOf(db: Database, nodes: readonly NodeId[]): Promise<DeploymentId[]> {
  const { rows } = await sql<{ id: DeploymentId }>`
    SELECT DISTINCT deployment_id AS id FROM nodes WHERE id = ANY(${nodes})`.execute(db);
  return rows.map(({ id }) => id);
}

/** Adds the nodes that are not there yet, after those that are, and renames the others. */
export async function upsertNodes(
  db: Database,
  deploymentId: DeploymentId,
  nodes: DeploymentShape['nodes'],
): Promise<void> {
  await sql`
    INSERT INTO nodes (id, deployment_id, name, position)
    SELECT wanted.id, ${deploymentId}, wanted.name,
           former.next + row_number() OVER (ORDER BY known.id IS NOT NULL, wanted.ordinality) - 1
    FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(nodes)}::jsonb) AS (id bigint, name text))
           WITH ORDINALITY AS wanted (id, name, ordinality)
    LEFT JOIN nodes AS known ON known.id = wanted.id
    CROSS JOIN (
      SELECT coalesce(max(position) + 1, 0) AS next FROM nodes WHERE deployment_id = ${deploymentId}
    ) AS former
    ON CONFLICT (id) DO UPDATE SET name = excluded.name
    WHERE nodes.deployment_id = excluded.deployment_id`.execute(db);
}

/** Keeps nodes with these ids from being added or removed as orphans elsewhere, until the transaction ends. */
export async function lockNodes(db: Database, ids: readonly NodeId[]): Promise<void> {
  await sql`
    SELECT pg_advisory_xact_lock(hashtextextended('node', id)) FROM unnest(${ids}::bigint[]) AS id ORDER BY id`.execute(
    db,
  );
}

/** Another deployment that has a node with one of these ids. */
export async function findOtherOwner(
  db: Database,
  deploymentId: DeploymentId,
  nodeIds: readonly NodeId[],
): Promise<DeploymentId | undefined> {
  const row = await db
    .selectFrom('nodes')
    .select('deployment_id')
    .where('id', 'in', nodeIds)
    .where('deployment_id', '<>', deploymentId)
    .executeTakeFirst();
  return row?.deployment_id;
}

/** The version of each runtime, as the first node of a deployment says that tells it: the connectors come with the agent. */
export type RuntimeVersions = Partial<Record<'broker' | 'connectors', string>>;

export async function findRuntimeVersions(
  db: Database,
  deploymentId: DeploymentId,
): Promise<RuntimeVersions> {
  const nodes = await db
    .selectFrom('nodes')
    .select(['runtimes', 'agent_version'])
    .where('deployment_id', '=', deploymentId)
    .orderBy('position')
    .execute();
  const brokers = nodes.flatMap(({ runtimes }) => runtimes.filter(({ runtime }) => runtime === 'broker'));
  const broker = brokers.find(({ version }) => version !== null)?.version;
  const connectors = nodes.find(({ agent_version }) => agent_version !== null)?.agent_version;
  return { ...(broker && { broker }), ...(connectors && { connectors }) };
}

/** What there is to know of a node to recognise its agent. */
export type NodeIdentity = Pick<Node, 'id' | 'deployment_id' | 'public_key'>;

export async function findNode(db: Database, nodeId: NodeId): Promise<NodeIdentity | undefined> {
  return await db
    .selectFrom('nodes')
    .select(['id', 'deployment_id', 'public_key'])
    .where('id', '=', nodeId)
    .executeTakeFirst();
}

export async function findNodeByToken(db: Database, hash: string): Promise<NodeIdentity | undefined> {
  return await db
    .selectFrom('nodes')
    .select(['id', 'deployment_id', 'public_key'])
    .where('token_hash', '=', hash)
    .executeTakeFirst();
}

/**
 * Has nobody else change the deployment's nodes until the transaction ends. Whoever also locks its reconciliation does that
 * afterwards: agents' polls and heartbeats write to their node first, then wake the reconciler.
 */
export async function lockNodesOf(db: Database, deploymentId: DeploymentId): Promise<void> {
  await db
    .selectFrom('nodes')
    .select('id')
    .where('deployment_id', '=', deploymentId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** Stores a new token's hash for a node that has not enrolled. @returns false when it has */
export async function storeToken(
  db: Database,
  nodeId: NodeId,
  hash: string,
  expiresAt: Date,
  { anew }: { anew: boolean },
): Promise<boolean> {
  const result = await db
    .updateTable('nodes')
    .set({ token_hash: hash, token_expires_at: expiresAt, public_key: null, applied_revision: 0 })
    .where('id', '=', nodeId)
    .$if(!anew, (query) => query.where('public_key', 'is', null))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Enrols a key for the node whose token this is, unless one has been and the token is not to replace it.
 * @returns whether it did
 */
export async function enrolKey(
  db: Database,
  hash: string,
  key: Enrolment['public_key'],
  now: Date,
): Promise<boolean> {
  const result = await db
    .updateTable('nodes')
    .set({ public_key: JSON.stringify(key), revoked_at: null, token_anew: false, applied_revision: 0 })
    .where('token_hash', '=', hash)
    .where('token_expires_at', '>', now)
    .where((node) => node.or([node('public_key', 'is', null), node('token_anew', '=', true)]))
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/**
 * Records which revision the node with this key is in; never one that there has not been.
 * @returns whether that is news
 */
export async function recordAppliedRevision(
  db: Database,
  nodeId: NodeId,
  key: string,
  revision: number,
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE nodes SET applied_revision = least(${revision}::bigint, deployments.revision)
    FROM deployments
    WHERE nodes.id = ${nodeId} AND deployments.id = deployment_id AND ${hasKey(key)}
      AND applied_revision <> least(${revision}::bigint, deployments.revision)
    RETURNING 1`.execute(db);
  return rows.length > 0;
}

/** What the node that has enrolled `key` says of itself. */
export interface Beat {
  nodeId: NodeId;
  key: string;
  heartbeat: Heartbeat;
}

/**
 * What became of a heartbeat. `refused`: no node has this id and key. `busy`: somebody else is changing the node, and
 * nothing was stored. `changed`: its broker, its ports, what it has applied or its revision are others than before, or it had not been heard of.
 */
export interface Taken {
  outcome: 'refused' | 'busy' | 'noted' | 'changed';
  deployment_id: DeploymentId;
}

/** what a broker counts, such as its messages, changes all the time: it is stored no more often than this */
const statisticsSeconds = 5;

/**
 * Stores what nodes say of themselves, in one statement that writes only what is new: `last_heartbeat_at` once it is
 * `resolutionSeconds` old. Waits for nobody, so that one node that is locked keeps no other waiting. Each node may
 * be there once.
 * @returns what became of each, in the same order
 */
export async function recordHeartbeats(
  db: Database,
  beats: readonly Beat[],
  resolutionSeconds: number,
): Promise<Taken[]> {
  const told = beats.map(({ nodeId, key, heartbeat }) => ({
    ...{ node_id: nodeId, key, ...heartbeat },
    connectors: storedConnectors(heartbeat.connectors),
  }));
  const { rows } = await sql<Taken>`
    WITH told AS (
      SELECT *
      FROM ROWS FROM (jsonb_to_recordset(${JSON.stringify(told)}::jsonb) AS (
             node_id bigint, key text, agent_version text, applied_revision bigint,
             runtimes jsonb, ports jsonb, statistics jsonb, applied jsonb, connectors jsonb, cluster jsonb))
           WITH ORDINALITY
             AS told (node_id, key, agent_version, applied_revision, runtimes, ports, statistics, applied, connectors,
                      cluster, position)
    ), known AS (
      SELECT told.*, nodes.deployment_id, least(told.applied_revision, deployments.revision) AS revision,
             nodes.last_heartbeat_at IS NULL OR nodes.unreachable_since IS NOT NULL
               OR (nodes.runtimes, nodes.ports, nodes.applied, nodes.connectors, nodes.cluster, nodes.applied_revision)
                  IS DISTINCT FROM
                  (told.runtimes, told.ports, told.applied, told.connectors, told.cluster,
                   least(told.applied_revision, deployments.revision))
               AS changed,
             nodes.agent_version IS DISTINCT FROM told.agent_version
               OR nodes.last_heartbeat_at <= now() - make_interval(secs => ${resolutionSeconds})
               OR nodes.statistics IS DISTINCT FROM told.statistics
                  AND nodes.last_heartbeat_at <= now() - make_interval(secs => ${statisticsSeconds})
               AS stale
      FROM told
      JOIN nodes ON nodes.id = told.node_id AND nodes.public_key ->> 'x' = told.key
      JOIN deployments ON deployments.id = nodes.deployment_id
    ), free AS (
      SELECT nodes.id
      FROM nodes JOIN known ON known.node_id = nodes.id
      -- once more: the key may have been revoked since the statement began
      WHERE (known.changed OR known.stale) AND nodes.public_key ->> 'x' = known.key
      FOR NO KEY UPDATE OF nodes SKIP LOCKED
    ), written AS (
      UPDATE nodes
      SET agent_version = known.agent_version,
          last_heartbeat_at = now(),
          unreachable_since = NULL,
          applied_revision = known.revision,
          runtimes = known.runtimes,
          ports = known.ports,
          applied = known.applied,
          connectors = known.connectors,
          cluster = known.cluster,
          statistics = known.statistics
      FROM known JOIN free ON free.id = known.node_id
      WHERE nodes.id = known.node_id
      RETURNING nodes.id
    )
    SELECT known.deployment_id,
           CASE WHEN known.node_id IS NULL THEN 'refused'
                WHEN written.id IS NULL AND (known.changed OR known.stale) THEN 'busy'
                WHEN known.changed THEN 'changed'
                ELSE 'noted' END AS outcome
    FROM told
    LEFT JOIN known ON known.position = told.position
    LEFT JOIN written ON written.id = told.node_id
    ORDER BY told.position`.execute(db);
  return rows;
}

/**
 * How many nodes have not applied `revision` yet, of those that were heard from since `since` and those whose agents
 * have only just enrolled.
 */
export async function countBehind(
  db: Database,
  deploymentId: DeploymentId,
  revision: number,
  since: Date,
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    SELECT count(*) FROM nodes
    WHERE deployment_id = ${deploymentId} AND applied_revision < ${revision} AND public_key IS NOT NULL
      AND (last_heartbeat_at >= ${since} OR last_heartbeat_at IS NULL)
  `.execute(db);
  return rows[0]?.count ?? 0;
}

/** Where clients reach a node from now on. */
export async function recordAddress(db: Database, nodeId: NodeId, address: NodeAddress): Promise<void> {
  await db
    .updateTable('nodes')
    .set({ address: JSON.stringify(address) })
    .where('id', '=', nodeId)
    .execute();
}

export interface DesiredDeployment {
  id: DeploymentId;
  name: string;
  node_name: string;
  revision: number;
  /** not null while the region does not know whether its rules and login are the newest */
  access_question: string | null;
  /** the one that the node was in when it was last heard of */
  applied_revision: number;
  username: string;
  sealed_password: string;
  /** whether somebody wants the node's broker stopped, or the spend limit is reached */
  broker_stopped: boolean;
  /** until when at most, where it is only for a backup */
  stopped_until: Date | null;
  connectors_stopped: boolean;
  /** what the deployment's brokers may use, as far as this node is told */
  resources: BrokerResources;
  /** how many there are in its deployment */
  nodes: number;
  /** whether it is to end and to remove all that it is */
  leaving: boolean;
  /** what its broker is told besides; null for nothing */
  config: { id: ConfigId; name: string; version: number; sealed_values: string } | null;
  plain_text: boolean;
  kind: DeploymentShape['cluster'];
  /** null where it is none, and before anything is known of it */
  cluster: Pick<
    Cluster,
    | 'username'
    | 'sealed_password'
    | 'certificate'
    | 'sealed_key'
    | 'authority'
    | 'former_authority'
    | 'routes'
    | 'turn_node_id'
  > | null;
  /** null before the first */
  certificate: string | null;
  sealed_key: string | null;
  authority: string | null;
  server_name: string | null;
  /** of what has changed it last, and when */
  traceparent: string | null;
  traced_at: Date | null;
}

/** What a node's desired state is made of, its access rules apart; undefined unless the node has this key. */
export async function findDesired(
  db: Database,
  nodeId: NodeId,
  key: string,
): Promise<DesiredDeployment | undefined> {
  return await db
    .selectFrom('nodes')
    .innerJoin('deployments', 'deployments.id', 'nodes.deployment_id')
    .leftJoin('configs_in_force', (join) =>
      join.onRef('configs_in_force.deployment_id', '=', 'deployments.id').on('kind', '=', 'broker'),
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
      sql<DeploymentShape['cluster']>`shape ->> 'cluster'`.as('kind'),
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
      sql<string>`shape ->> 'name'`.as('name'),
      'nodes.name as node_name',
      'revision',
      'access_question',
      'applied_revision',
      'username',
      'sealed_password',
      sql<boolean>`broker_stopped OR limited_until IS NOT NULL`.as('broker_stopped'),
      sql<Date | null>`(
        SELECT deadline FROM volume_work
        WHERE volume_work.deployment_id = deployments.id AND kind = 'backup' AND step IN ('quiescing', 'copying')
          AND former_states @> jsonb_build_array(jsonb_build_object('node_id', nodes.id, 'stopped', false))
      )`.as('stopped_until'),
      connectorsStopped.as('connectors_stopped'),
      sql<boolean>`leaving_at IS NOT NULL`.as('leaving'),
      sql<BrokerResources>`coalesce(deployment_upgrades.resources, shape -> 'limits')`.as('resources'),
      sql<number>`(SELECT count(*) FROM nodes AS all_nodes WHERE all_nodes.deployment_id = deployments.id)`.as(
        'nodes',
      ),
      (node) =>
        jsonObjectFrom(
          node
            .selectFrom('configs')
            .select(['configs.id', 'configs.name', 'version', 'sealed_values'])
            .whereRef('configs.id', '=', 'configs_in_force.config_id'),
        ).as('config'),
    ])
    .where('nodes.id', '=', nodeId)
    .where(hasKey(key))
    .executeTakeFirst();
}

const hasKey = (key: string) => sql<boolean>`nodes.public_key ->> 'x' = ${key}`;

/**
 * Takes a node's key and token away. Its agent is refused from now on, also where a request of it is being held.
 * @returns the node's deployment; undefined where there is no such node
 */
export async function revokeAgent(db: Database, nodeId: NodeId): Promise<DeploymentId | undefined> {
  const node = await db
    .updateTable('nodes')
    .set({ public_key: null, token_hash: null, token_expires_at: null, revoked_at: sql<Date>`now()` })
    .where('id', '=', nodeId)
    .returning('deployment_id')
    .executeTakeFirst();
  if (node) await notify(db, channels.desired, node.deployment_id);
  return node?.deployment_id;
}

/** as many versions as are told apart: a version is what an agent says */
const mostVersions = 20;

/** How many nodes there are of the most frequent versions of agents; '' of those that have not told one. */
export async function countByAgent(db: Database): Promise<{ agent_version: string; count: number }[]> {
  const { rows } = await sql<{ agent_version: string; count: number }>`
    SELECT coalesce(agent_version, '') AS agent_version, count(*) FROM nodes
    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${mostVersions}`.execute(db);
  return rows;
}
