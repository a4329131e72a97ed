import type { DeploymentId, DeploymentSpec, Enrolment, NodeId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { sql, type Selectable, type Updateable } from 'kysely';
import { hasChanged, countOf } from './queries.ts';
import { channels, notify } from './signals.ts';
import type { Database, Tables } from './tables.ts';

export type Node = Selectable<Tables['nodes']>;

/** The nodes of a deployment, in their order. */
export const listNodes = (db: Database, deploymentId: DeploymentId) =>
  db.selectFrom('nodes').selectAll().where('deployment_id', '=', deploymentId).orderBy('position').execute();

/** The deployments that these nodes belong to, as far as there are any. */
export async function listDeploymentsOf(db: Database, nodes: readonly NodeId[]): Promise<DeploymentId[]> {
  const found = db.selectFrom('nodes').select('deployment_id').distinct().where('id', 'in', nodes);
  return (await found.execute()).map(({ deployment_id }) => deployment_id);
}

/** Adds the nodes that are not there yet, after those that are, and renames the others. */
export async function upsertNodes(
  db: Database,
  deploymentId: DeploymentId,
  nodes: DeploymentSpec['nodes'],
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

/** The version of each runtime, by the first node of a deployment that reports it: the connectors come with the agent. */
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

export const findNode = (db: Database, nodeId: NodeId) =>
  db
    .selectFrom('nodes')
    .select(['id', 'deployment_id', 'public_key'])
    .where('id', '=', nodeId)
    .executeTakeFirst();

/** @throws Problem `not_found` unless the node is one of the deployment */
export const requireNode = (db: Database, deployment_id: DeploymentId, id: NodeId) =>
  db
    .selectFrom('nodes')
    .select('id')
    .where((node) => node.and({ id, deployment_id }))
    .executeTakeFirstOrThrow(() => problem('not_found'));

export const findNodeByToken = (db: Database, hash: string) =>
  db
    .selectFrom('nodes')
    .select(['id', 'deployment_id', 'public_key'])
    .where('token_hash', '=', hash)
    .executeTakeFirst();

/**
 * Locks the deployment's nodes until the transaction ends. A transaction that also locks its reconciliation does that
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
export const storeToken = (
  db: Database,
  nodeId: NodeId,
  hash: string,
  expiresAt: Date,
  { anew }: { anew: boolean },
) =>
  hasChanged(
    db
      .updateTable('nodes')
      .set({ token_hash: hash, token_expires_at: expiresAt, public_key: null, applied_revision: 0 })
      .where('id', '=', nodeId)
      .$if(!anew, (query) => query.where('public_key', 'is', null)),
  );

/**
 * Enrols a key for the node whose token this is, unless one has been and the token is not to replace it.
 * @returns whether it did
 */
export const enrolKey = (db: Database, hash: string, key: Enrolment['public_key'], now: Date) =>
  hasChanged(
    db
      .updateTable('nodes')
      .set({ public_key: JSON.stringify(key), revoked_at: null, token_anew: false, applied_revision: 0 })
      .where('token_hash', '=', hash)
      .where('token_expires_at', '>', now)
      .where((node) => node.or([node('public_key', 'is', null), node('token_anew', '=', true)])),
  );

/**
 * How many nodes have not applied `revision` yet, of those that were heard from since `since` and those whose agents
 * have only just enrolled.
 */
export const countBehind = (db: Database, deploymentId: DeploymentId, revision: number, since: Date) =>
  countOf(
    db
      .selectFrom('nodes')
      .where('deployment_id', '=', deploymentId)
      .where('applied_revision', '<', revision)
      .where('public_key', 'is not', null)
      .where((node) =>
        node.or([node('last_heartbeat_at', '>=', since), node('last_heartbeat_at', 'is', null)]),
      ),
  );

/** Stores what no other statement depends on. What agents receive of it comes with the next revision. */
export async function changeNode(
  db: Database,
  id: NodeId,
  changes: Updateable<Tables['nodes']>,
): Promise<void> {
  await db.updateTable('nodes').set(changes).where('id', '=', id).execute();
}

export const hasKey = (key: string) => sql<boolean>`nodes.public_key ->> 'x' = ${key}`;

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

/** as many versions as are counted by themselves: an agent says its version */
const mostVersions = 20;

/** How many nodes there are of the most frequent versions of agents; '' of those that have not reported one. */
export async function countByAgent(db: Database): Promise<{ agent_version: string; count: number }[]> {
  const { rows } = await sql<{ agent_version: string; count: number }>`
    SELECT coalesce(agent_version, '') AS agent_version, count(*) FROM nodes
    GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${mostVersions}`.execute(db);
  return rows;
}
