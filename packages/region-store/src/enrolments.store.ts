import type { DeploymentId, Machine, NodeId } from '@sluice/contracts';
import { problem } from '@sluice/service';
import { sql } from 'kysely';
import type { ByocDriver, NodeAccess } from '@sluice/drivers';
import type { Database } from './tables.ts';
import { raiseRevision } from './deployments.store.ts';

/** How machines of customers become nodes, and cease to be: beside the store of nodes, in the same table. */

export const findEnrolling = (db: Database, nodeId: NodeId) =>
  db
    .selectFrom('nodes')
    .select([
      ...(['public_key', 'revoked_at', 'last_heartbeat_at', 'unreachable_since'] as const),
      ...(['ports', 'machine', 'data_gone_at', 'leaving_at'] as const),
    ])
    .where('id', '=', nodeId)
    .executeTakeFirst();

/** how to get into the account that the customer has on the deployment's cloud */
const access = sql`spec -> 'cloud_access' -> (spec ->> 'cloud')`;
const nodeAccess = sql`
  ${access} AS access, coalesce(uid::text, 'id-' || deployments.id) AS deployment,
  tenant_id, (spec ->> 'public_ip_enabled')::boolean AS is_public`;

export async function findAccess(db: Database, nodeId: NodeId): Promise<NodeAccess<unknown> | undefined> {
  const { rows } = await sql<NodeAccess<unknown>>`
    SELECT ${nodeAccess} FROM deployments JOIN nodes ON deployment_id = deployments.id
    WHERE nodes.id = ${nodeId} AND ${access} IS NOT NULL`.execute(db);
  return rows[0];
}

/** as many accounts as are looked into for what no deployment has */
const mostAccounts = 1_000;

/** Each account of a tenant in which a driver has nodes in this region, once. @param identity the field of an access that tells accounts apart */
export async function listAccesses(
  db: Database,
  driver: ByocDriver,
  identity: string,
): Promise<NodeAccess<unknown>[]> {
  const { rows } = await sql<NodeAccess<unknown>>`
    SELECT DISTINCT ON (tenant_id, ${access} ->> ${identity}::text) ${nodeAccess}
    FROM deployments
    WHERE byoc_driver = ${driver} AND ${access} IS NOT NULL
    LIMIT ${mostAccounts}`.execute(db);
  return rows;
}

/** The driver of a node; undefined where no deployment has it, null for the region's own. */
export async function findProvisioner(db: Database, nodeId: NodeId): Promise<ByocDriver | null | undefined> {
  const row = await db
    .selectFrom('nodes')
    .innerJoin('deployments', 'deployments.id', 'nodes.deployment_id')
    .select('byoc_driver')
    .where('nodes.id', '=', nodeId)
    .executeTakeFirst();
  return row?.byoc_driver;
}

/**
 * Stores a new token's hash, by which another machine can become this node; until then the present one stays.
 * @returns the node's name
 * @throws Problem `not_found` when the deployment has no such node
 */
export async function offerToken(
  db: Database,
  { deploymentId, nodeId }: { deploymentId: DeploymentId; nodeId: NodeId },
  { hash, expiresAt }: { hash: string; expiresAt: Date },
): Promise<string> {
  const { name } = await db
    .updateTable('nodes')
    .set({ token_hash: hash, token_expires_at: expiresAt, token_anew: true })
    .where('id', '=', nodeId)
    .where('deployment_id', '=', deploymentId)
    .returning('name')
    .executeTakeFirstOrThrow(() => problem('not_found'));
  return name;
}

/**
 * Notes that a machine without data wants to be a node that has held some, by its valid token.
 * @returns its deployment where that is so
 */
export async function noteMissingData(
  db: Database,
  hash: string,
  now: Date,
): Promise<DeploymentId | undefined> {
  const { rows } = await sql<{ deployment_id: DeploymentId }>`
    UPDATE nodes SET data_gone_at = ${now}
    FROM deployments
    WHERE token_hash = ${hash} AND token_expires_at > ${now} AND (public_key IS NULL OR token_anew)
      AND deployed_at IS NOT NULL AND deployments.id = deployment_id AND byoc_driver = 'enrol'
    RETURNING deployment_id`.execute(db);
  return rows[0]?.deployment_id;
}

/** Stores what the agent with this key reports of its machine. @returns whether that is news */
export async function recordMachine(
  db: Database,
  nodeId: NodeId,
  key: string,
  machine: Machine,
): Promise<boolean> {
  const text = JSON.stringify(machine);
  const { rows } = await sql`
    UPDATE nodes SET machine = ${text}
    WHERE id = ${nodeId} AND public_key ->> 'x' = ${key} AND machine IS DISTINCT FROM ${text}::jsonb
    RETURNING 1`.execute(db);
  return rows.length > 0;
}

/** Has the node's agent leave, by telling it once; no token makes a machine this node any more. */
export async function askToLeave(db: Database, nodeId: NodeId, now: Date): Promise<void> {
  // in everybody's order: the deployment, then its node
  await sql`
    SELECT 1 FROM deployments WHERE id = (SELECT deployment_id FROM nodes WHERE id = ${nodeId}) FOR UPDATE`.execute(
    db,
  );
  const node = await db
    .updateTable('nodes')
    .set({ leaving_at: now, token_hash: null, token_expires_at: null })
    .where('id', '=', nodeId)
    .where('leaving_at', 'is', null)
    .returning(['deployment_id', 'public_key'])
    .executeTakeFirst();
  if (node?.public_key) await raiseRevision(db, node.deployment_id);
}

/**
 * Gives up a node that was asked to leave, and does not: it has not been heard of for `seconds` since.
 * @returns whether it was given up
 */
export async function giveUpSilent(db: Database, nodeId: NodeId, seconds: number): Promise<boolean> {
  const { rows } = await sql`
    UPDATE nodes SET public_key = NULL
    WHERE id = ${nodeId} AND public_key IS NOT NULL AND leaving_at < now() - make_interval(secs => ${seconds})
      AND (unreachable_since IS NOT NULL OR last_heartbeat_at IS NULL)
    RETURNING 1`.execute(db);
  return rows.length > 0;
}

/**
 * Nothing of the node is left: its agent, which has this key, is not taken for it any more.
 * @returns its deployment; undefined where it was not asked to leave
 */
export async function recordDeparture(
  db: Database,
  nodeId: NodeId,
  key: string,
): Promise<DeploymentId | undefined> {
  const node = await db
    .updateTable('nodes')
    .set({ public_key: null })
    .where('id', '=', nodeId)
    .where(sql<boolean>`public_key ->> 'x' = ${key}`)
    .where('leaving_at', 'is not', null)
    .returning('deployment_id')
    .executeTakeFirst();
  return node?.deployment_id;
}
