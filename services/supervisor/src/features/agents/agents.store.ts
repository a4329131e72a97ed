import type { Enrolment, Heartbeat, DeploymentId, NodeId } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from '../../database.ts';

export interface EnrolledNode {
  id: NodeId;
  deployment_id: DeploymentId;
  public_key: Enrolment['public_key'] | null;
}

export async function findNode(db: Database, nodeId: NodeId): Promise<EnrolledNode | undefined> {
  return await db
    .selectFrom('nodes')
    .select(['id', 'deployment_id', 'public_key'])
    .where('id', '=', nodeId)
    .executeTakeFirst();
}

export async function findByTokenHash(db: Database, hash: string): Promise<EnrolledNode | undefined> {
  return await db
    .selectFrom('nodes')
    .select(['id', 'deployment_id', 'public_key'])
    .where('token_hash', '=', hash)
    .executeTakeFirst();
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

/** Notes which revision a node is in; never one that there has not been. @returns whether that is news */
export async function noteApplied(
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

/** Stores what a node says of itself. @returns whether its broker, its endpoints or its revision have changed */
export async function noteHeartbeat(
  db: Database,
  nodeId: NodeId,
  heartbeat: Heartbeat,
  now: Date,
): Promise<boolean> {
  const { agent_version, applied_revision, runtimes, endpoints, statistics } = heartbeat;
  const { rows } = await sql<{ changed: boolean }>`
    WITH former AS (SELECT * FROM nodes WHERE id = ${nodeId} FOR UPDATE)
    UPDATE nodes
    SET agent_version = ${agent_version},
        last_heartbeat_at = ${now},
        applied_revision = least(${applied_revision}::bigint, deployments.revision),
        runtimes = ${JSON.stringify(runtimes)},
        endpoints = ${JSON.stringify(endpoints)},
        statistics = ${statistics === null ? null : JSON.stringify(statistics)}
    FROM former JOIN deployments ON deployments.id = former.deployment_id
    WHERE nodes.id = former.id
    RETURNING former.last_heartbeat_at IS NULL
      OR (former.runtimes, former.endpoints, former.applied_revision)
         IS DISTINCT FROM (nodes.runtimes, nodes.endpoints, nodes.applied_revision) AS changed`.execute(db);
  return rows[0]?.changed ?? false;
}

export interface DesiredDeployment {
  id: DeploymentId;
  name: string;
  node_name: string;
  revision: number;
  username: string;
  sealed_password: string;
}

/** What a node's desired state is made of, its access rules apart. */
export async function findDesired(db: Database, nodeId: NodeId): Promise<DesiredDeployment | undefined> {
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
    ])
    .where('nodes.id', '=', nodeId)
    .executeTakeFirst();
}
