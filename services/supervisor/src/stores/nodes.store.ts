import type { DeploymentId, DeploymentShape, Enrolment, Heartbeat, NodeId } from '@sluice/contracts';
import { sql, type Selectable } from 'kysely';
import { channels, notify } from '../database/signals.ts';
import type { Database, Tables } from '../database/tables.ts';

export type Node = Selectable<Tables['nodes']>;

/** The nodes of a deployment, in their order. */
export async function listNodes(db: Database, deploymentId: DeploymentId): Promise<Node[]> {
  return await db
    .selectFrom('nodes')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .orderBy('position')
    .execute();
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

/** Enrols a key for the node whose token this is, unless one has been. @returns whether it did */
export async function enrolKey(
  db: Database,
  hash: string,
  key: Enrolment['public_key'],
  now: Date,
): Promise<boolean> {
  const result = await db
    .updateTable('nodes')
    .set({ public_key: JSON.stringify(key) })
    .where('token_hash', '=', hash)
    .where('token_expires_at', '>', now)
    .where('public_key', 'is', null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** Records which revision a node is in; never one that there has not been. @returns whether that is news */
export async function recordAppliedRevision(
  db: Database,
  nodeId: NodeId,
  deploymentId: DeploymentId,
  revision: number,
): Promise<boolean> {
  const { rows } = await sql`
    UPDATE nodes SET applied_revision = least(${revision}::bigint, deployments.revision)
    FROM deployments
    WHERE nodes.id = ${nodeId} AND deployments.id = ${deploymentId}
      AND applied_revision <> least(${revision}::bigint, deployments.revision)
    RETURNING 1`.execute(db);
  return rows.length > 0;
}

/** Stores what a node says of itself. @returns whether its broker, its ports or its revision have changed */
export async function recordHeartbeat(
  db: Database,
  nodeId: NodeId,
  key: string,
  heartbeat: Heartbeat,
  now: Date,
): Promise<boolean> {
  const { agent_version, applied_revision, runtimes, ports, statistics } = heartbeat;
  const { rows } = await sql<{ changed: boolean }>`
    WITH former AS (SELECT * FROM nodes WHERE id = ${nodeId} AND ${hasKey(key)} FOR UPDATE)
    UPDATE nodes
    SET agent_version = ${agent_version},
        last_heartbeat_at = ${now},
        applied_revision = least(${applied_revision}::bigint, deployments.revision),
        runtimes = ${JSON.stringify(runtimes)},
        ports = ${JSON.stringify(ports)},
        statistics = ${statistics === null ? null : JSON.stringify(statistics)}
    FROM former JOIN deployments ON deployments.id = former.deployment_id
    WHERE nodes.id = former.id
    RETURNING former.last_heartbeat_at IS NULL
      OR (former.runtimes, former.ports, former.applied_revision)
         IS DISTINCT FROM (nodes.runtimes, nodes.ports, nodes.applied_revision) AS changed`.execute(db);
  return rows[0]?.changed ?? false;
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

export interface DesiredDeployment {
  id: DeploymentId;
  name: string;
  node_name: string;
  revision: number;
  username: string;
  sealed_password: string;
  limits: DeploymentShape['limits'];
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
    .select([
      'deployments.id',
      sql<string>`shape ->> 'name'`.as('name'),
      'nodes.name as node_name',
      'revision',
      'username',
      'sealed_password',
      sql<DeploymentShape['limits']>`shape -> 'limits'`.as('limits'),
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
    .set({ public_key: null, token_hash: null, token_expires_at: null })
    .where('id', '=', nodeId)
    .returning('deployment_id')
    .executeTakeFirst();
  if (node) await notify(db, channels.desired, node.deployment_id);
  return node?.deployment_id;
}
