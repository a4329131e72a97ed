import type { DeploymentId, NodeId, TaskRuntime } from '@sluice/contracts';
import { sql } from 'kysely';
import type { Database } from './tables.ts';
import { changeNode } from './nodes.store.ts';

/** What is to be stopped, node by node (columns of `nodes`). Agents receive it with the next revision. */

const columns = { broker: 'broker_stopped', connectors: 'connectors_stopped' } as const;

/** Whether a node's connectors runtime is to be stopped: by a person, or since the spend limit of its deployment is reached. */
export const connectorsStopped = sql<boolean>`connectors_stopped OR limited_until IS NOT NULL`;

/** @returns whether it was to be stopped before; undefined when there is no such node */
export async function isToBeStopped(
  db: Database,
  nodeId: NodeId,
  runtime: TaskRuntime,
): Promise<boolean | undefined> {
  const row = await db
    .selectFrom('nodes')
    .select(columns[runtime])
    .where('id', '=', nodeId)
    .executeTakeFirst();
  return row && Object.values(row)[0];
}

export const setToBeStopped = (db: Database, nodeId: NodeId, runtime: TaskRuntime, stopped: boolean) =>
  changeNode(db, nodeId, { [columns[runtime]]: stopped });

/** Whether people, a spend limit or a restore want all brokers of the deployment stopped; for a backup they are for a moment, which does not count. */
export async function isToRest(db: Database, deploymentId: DeploymentId): Promise<boolean> {
  const { rows } = await sql<{ rests: boolean }>`
    SELECT bool_and(broker_stopped OR limited_until IS NOT NULL) AND NOT EXISTS (
      SELECT FROM volume_work WHERE deployment_id = ${deploymentId} AND kind = 'backup'
    ) AS rests
    FROM nodes JOIN deployments ON deployments.id = deployment_id WHERE deployment_id = ${deploymentId}`.execute(
    db,
  );
  return rows[0]?.rests ?? false;
}
