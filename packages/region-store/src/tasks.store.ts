import { randomUUID } from 'node:crypto';
import {
  statusesThatAre,
  type Cause,
  type ConfigId,
  type DeploymentId,
  type NodeId,
  type TaskAction,
  type TaskId,
  type TaskResult,
  type TaskRuntime,
} from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { problem } from '@sluice/service';
import { sql, type Selectable } from 'kysely';
import { clock, inSeconds, isFound, pageOf } from './queries.ts';
import type { Database, Tables } from './tables.ts';
import { hasBeenListening, type HeartbeatGrace } from './silence.store.ts';

/** What nodes are to do, and what came of it. Times are the database's. */

export type Task = Selectable<Tables['tasks']>;

/** what is kept of a deployment, besides what has not ended */
const mostKept = 1_000;
/** tasks of one node, of whichever runtime, that have not ended */
export const mostOpenTasks = 20;
/** what GET …/tasks shows */
const mostListed = 100;
/** characters */
const longestError = 1_000;
/** tasks that a node receives at once; of each runtime one at a time */
const mostAtOnce = 10;

export interface Submission {
  deploymentId: DeploymentId;
  nodes: readonly NodeId[];
  runtime: TaskRuntime;
  action: TaskAction;
  configId: ConfigId | null;
  cause: Cause;
  deadlineSeconds: number;
}

/** One task per node, in the order of the nodes. */
export async function insertTasks(db: Database, submission: Submission): Promise<Task[]> {
  const { deploymentId, nodes, runtime, action, configId, cause, deadlineSeconds } = submission;
  const together = randomUUID();
  const deadline = inSeconds(deadlineSeconds);
  const tasks = await db
    .insertInto('tasks')
    .values(
      nodes.map((node_id) => ({
        deployment_id: deploymentId,
        node_id,
        submission: together,
        runtime,
        action,
        config_id: configId,
        created_by: JSON.stringify(cause),
        deadline,
      })),
    )
    .returningAll()
    .execute();
  return tasks.sort((one, other) => one.id - other.id);
}

/** Deletes what has ended long ago (tasks_by_deployment). */
export async function forgetOldTasks(db: Database, deploymentId: DeploymentId): Promise<void> {
  const newest = tasksOf(db, deploymentId).select('id').orderBy('id', 'desc').offset(mostKept).limit(1);
  await db
    .deleteFrom('tasks')
    .where('deployment_id', '=', deploymentId)
    .where('finished_at', 'is not', null)
    .where('id', '<=', newest)
    .execute();
}

const tasksOf = (db: Database, deploymentId: DeploymentId) =>
  db.selectFrom('tasks').where('deployment_id', '=', deploymentId);
/** Those that have not ended (tasks_open). */
const openTasksOf = (db: Database, deploymentId: DeploymentId) =>
  tasksOf(db, deploymentId).where('finished_at', 'is', null);

/** Those that have not ended, in their order. */
export const listOpenTasks = (db: Database, deploymentId: DeploymentId) =>
  openTasksOf(db, deploymentId).selectAll().orderBy('id').execute();

/** Whether a node of the deployment is doing something. */
export const isAtWork = (db: Database, deploymentId: DeploymentId) =>
  isFound(openTasksOf(db, deploymentId).select('id').where('status', '=', 'running'));

/** Whether a task that has not ended goes back to this configuration if it fails. */
export const isToGoBackTo = (db: Database, deploymentId: DeploymentId, id: ConfigId) =>
  isFound(openTasksOf(db, deploymentId).select('id').where('former_config_id', '=', id));

/** In whose request brokers of the deployment were started or stopped last. */
export async function findLastCause(db: Database, deploymentId: DeploymentId): Promise<Cause | undefined> {
  const task = await tasksOf(db, deploymentId)
    .select('created_by')
    .where('runtime', '=', 'broker')
    .where('action', 'in', ['start', 'stop', 'restart'])
    .where('started_at', 'is not', null)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return task?.created_by;
}

/** What a node of the deployment is to do now, oldest first. */
export const listTasksOfNode = (db: Database, deploymentId: DeploymentId, nodeId: NodeId) =>
  openTasksOf(db, deploymentId)
    .selectAll()
    .where('node_id', '=', nodeId)
    .where('status', '=', 'running')
    .where('outcome', 'is', null)
    .orderBy('id')
    .limit(mostAtOnce)
    .execute();

/** The newest, newest first. */
export const listNewestTasks = (db: Database, deploymentId: DeploymentId) =>
  tasksOf(db, deploymentId).selectAll().orderBy('id', 'desc').limit(mostListed).execute();

/** @throws Problem `not_found` */
export const getTask = (db: Database, deploymentId: DeploymentId, id: TaskId) =>
  tasksOf(db, deploymentId)
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => problem('not_found'));

/** A page, newest first, and how many there are. */
export const pageOfTasks = (db: Database, deploymentId: DeploymentId, page: Page) =>
  pageOf(tasksOf(db, deploymentId).selectAll().orderBy('id', 'desc'), page);

/** Stores what the node with this key reports of one of its tasks. @returns `unknown` when there is none that it can speak of */
export async function recordOutcome(
  db: Database,
  { nodeId, key }: { nodeId: NodeId; key: string },
  id: TaskId,
  { status, error }: TaskResult,
): Promise<'recorded' | 'known' | 'unknown'> {
  const { rows } = await sql<{ is_open: boolean }>`
    WITH task AS (
      SELECT tasks.id, finished_at IS NULL AND outcome IS NULL AND tasks.status = 'running' AS is_open
      FROM tasks JOIN nodes ON nodes.id = tasks.node_id AND nodes.public_key ->> 'x' = ${key}
      WHERE tasks.id = ${id} AND tasks.node_id = ${nodeId}
    ), recorded AS (
      UPDATE tasks SET outcome = ${status}, error = ${status === 'failed' ? (error ?? 'the node does not say why') : null}
      FROM task WHERE tasks.id = task.id AND task.is_open
    )
    SELECT is_open FROM task`.execute(db);
  if (rows[0] === undefined) return 'unknown';
  return rows[0].is_open ? 'recorded' : 'known';
}

/** how a node's runtime is by its last heartbeat: `{runtime, status, version, reason}`; null when it does not say */
const reported = sql`(SELECT entry FROM jsonb_array_elements(nodes.runtimes) AS entry
  WHERE entry ->> 'runtime' = tasks.runtime LIMIT 1)`;

const overdue = (heartbeatGrace: HeartbeatGrace) =>
  sql`tasks.outcome IS NULL AND tasks.deadline <= clock_timestamp() AND ${hasBeenListening(heartbeatGrace)}`;

/** Fails what is past its deadline, queued or not, unless no replica has listened to the nodes for so long. */
export const failOverdue = (db: Database, deploymentId: DeploymentId, heartbeatGrace: HeartbeatGrace) =>
  sql`
    UPDATE tasks SET outcome = 'failed', error = CASE
      WHEN status = 'queued' THEN 'its turn did not come in time'
      WHEN nodes.applied_revision < tasks.revision THEN 'the node stayed away until the deadline'
      ELSE concat_ws(': ', 'the node did not do it in time; its ' || tasks.runtime || ' is '
        || coalesce(${reported} ->> 'status', 'unknown'), ${reported} ->> 'reason') END
    FROM nodes
    WHERE nodes.id = tasks.node_id AND tasks.deployment_id = ${deploymentId} AND finished_at IS NULL
      AND ${overdue(heartbeatGrace)}`.execute(db);

/** Deployments of which tasks can end or begin without anybody having said so, at most `limit` (tasks_open). */
export async function listUnsettled(
  db: Database,
  heartbeatGrace: HeartbeatGrace,
  limit: number,
): Promise<DeploymentId[]> {
  const { rows } = await sql<{ id: DeploymentId }>`
    SELECT tasks.deployment_id AS id
    FROM tasks
    JOIN deployments ON deployments.id = tasks.deployment_id
    JOIN nodes ON nodes.id = tasks.node_id
    WHERE finished_at IS NULL AND (
      ${overdue(heartbeatGrace)}
      OR tasks.status = 'queued' AND deployments.status = ANY(${statusesThatAre('acceptsTasks')}) AND deleted_by IS NULL
        AND NOT EXISTS (SELECT FROM volume_work WHERE volume_work.deployment_id = deployments.id)
        AND NOT EXISTS (
          SELECT FROM tasks AS earlier
          WHERE earlier.deployment_id = tasks.deployment_id AND earlier.finished_at IS NULL AND earlier.id < tasks.id
            AND earlier.node_id = tasks.node_id AND earlier.runtime = tasks.runtime))
    GROUP BY tasks.deployment_id ORDER BY min(tasks.deadline) LIMIT ${limit}`.execute(db);
  return rows.map(({ id }) => id);
}

/** What a task was begun with. */
export interface Beginning {
  revision: number;
  former_config_id?: ConfigId | null;
  former_stopped?: boolean;
}

export const beginTask = (db: Database, id: TaskId, beginning: Beginning) =>
  db
    .updateTable('tasks')
    .set({ ...beginning, status: 'running', started_at: clock })
    .where('id', '=', id)
    .execute();

export const endTask = (db: Database, id: TaskId, status: 'completed' | 'failed', error: string | null) =>
  db
    .updateTable('tasks')
    .set({ status, error: error && error.slice(0, longestError), finished_at: clock })
    .where('id', '=', id)
    .execute();

/** Nothing more is done of what has been submitted: the deployment is to be deleted. */
export const cancelTasks = (db: Database, deploymentId: DeploymentId) =>
  db
    .updateTable('tasks')
    .set({ status: 'cancelled', finished_at: clock })
    .where('deployment_id', '=', deploymentId)
    .where('finished_at', 'is', null)
    .execute();
