import {
  statusIs,
  type ConfigId,
  type DeploymentId,
  type EventTypeName,
  type NodeId,
  type TaskAction,
  type TaskId,
  type TaskRuntime,
} from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { BodyOf, Page, ParamsOf } from '@sluice/http';
import { fieldProblem, problem } from '@sluice/service';
import { requireLive, type DeploymentPath, requireRoom } from '../deployment-rules.ts';
import type { Database, Transaction } from '@sluice/region-store/tables';
import type { operations } from '../../generated/api.ts';
import { findActive, findVersion } from '../configs/configs.store.ts';
import { countConnectorInstances } from '../connectors/connector-instances.store.ts';
import {
  getDeployment,
  lockDeployment,
  subjectsOf,
  type Deployment,
} from '@sluice/region-store/deployments.store';
import { isUnderMaintenance } from '@sluice/region-store/maintenances.store';
import {
  forgetOldTasks,
  getTask,
  insertTasks,
  listNewestTasks,
  listOpenTasks,
  mostOpenTasks,
  pageOfTasks,
  type Task,
} from '@sluice/region-store/tasks.store';
import { suspension } from '../../spending/suspension.ts';
import type { AdvanceTasks } from './advance.ts';
import { actionOf } from './task-views.ts';
import type { Shared } from '../shared.ts';

export interface TasksOptions extends Pick<Shared, 'database' | 'work'> {
  advance: AdvanceTasks;
  deadlineSeconds: number;
}

export type TasksService = ReturnType<typeof tasksService>;

interface Wanted {
  runtime: TaskRuntime;
  action: TaskAction;
  configId: ConfigId | null;
  nodes: readonly NodeId[] | null | undefined;
  event: Extract<EventTypeName, 'task_created' | 'activity_created'>;
}

/** The tasks of nodes (interface, 4.9 and 4.11): a task and an activity are one thing, shown in two ways. */
export function tasksService({ database, work, advance, deadlineSeconds }: TasksOptions) {
  /** @returns one task per node */
  async function submit(
    caller: Caller,
    id: DeploymentId,
    wanted: (tx: Transaction) => Promise<Wanted>,
  ): Promise<{ deployment: Deployment; tasks: Task[] }> {
    return await work(caller, async (tx) => {
      const deployment = await lockDeployment(tx.db, id);
      const { runtime, action, configId, nodes, event } = await wanted(tx);
      const chosen = choose(deployment, action, nodes);
      requireReady(deployment);
      await requireNoMaintenance(tx.db, id);
      if (action === 'start' || action === 'restart') requireWithinLimit(deployment);
      if (runtime === 'connectors') await requireConnectors(tx.db, id);
      await requireRoomOnNodes(tx.db, id, chosen);
      const { cause } = caller;
      const tasks = await insertTasks(tx.db, {
        ...{ deploymentId: id, runtime, action, configId, cause, deadlineSeconds },
        nodes: chosen.map((node) => node.id),
      });
      tx.emit(event, subjectsOf(deployment), {
        ...{ runtime, action: actionOf({ action, config_id: configId }) },
        tasks: tasks.map((task, index) => ({
          id: task.id,
          node: chosen[index] ?? { id: task.node_id, name: '' },
        })),
      });
      await forgetOldTasks(tx.db, id);
      await advance(tx, deployment);
      return { deployment, tasks };
    });
  }

  /** @throws Problem `not_found`, or `invalid_request` when it configures something else */
  async function requireKind(db: Database, id: DeploymentId, runtime: TaskRuntime, configId: ConfigId) {
    const { kind } = (await findVersion(db, id, configId)) ?? {};
    if (kind === undefined)
      throw problem('not_found', { detail: 'The deployment has no such configuration.' });
    if (kind.split(':')[0] === (runtime === 'broker' ? 'broker' : 'connector')) return;
    const message = `has to be a configuration of ${runtime}; this one is of ${kind}`;
    const fieldIssues = [{ path: '/path/action', code: 'wrong_kind', message }];
    throw problem('invalid_request', { fieldIssues });
  }

  return {
    /** @throws Problem `not_found`, `invalid_request`, `state_conflict`, `limit_reached` */
    createActivity: (
      caller: Caller,
      { deployment_id, runtime, action: text }: ParamsOf<operations['createActivity']>,
      { nodes }: NonNullable<BodyOf<operations['createActivity']>>,
    ) =>
      submit(caller, deployment_id, async ({ db }) => {
        const { action, configId } = parseAction(text);
        if (configId !== null) await requireKind(db, deployment_id, runtime, configId);
        return { runtime, action, configId, nodes: nodes as NodeId[] | null, event: 'activity_created' };
      }),

    /** @returns the task of the first node; @throws Problem `state_conflict`, `limit_reached` */
    async createTask(
      caller: Caller,
      { deployment_id }: DeploymentPath,
      { type }: BodyOf<operations['createTask']>,
    ): Promise<Task> {
      const runtime = type === 'broker:reconfigure' ? 'broker' : 'connectors';
      const { tasks } = await submit(caller, deployment_id, async ({ db }) => {
        const configId = runtime === 'broker' ? (await findActive(db, deployment_id, 'broker'))?.id : null;
        if (configId === undefined)
          throw problem('state_conflict', {
            detail: 'The broker has no primary configuration: activate one first.',
          });
        return { runtime, action: 'reconfigure', configId, nodes: null, event: 'task_created' };
      });
      const [first] = tasks;
      if (!first) throw problem('state_conflict', { detail: 'The deployment has no nodes.' });
      return first;
    },

    /** The 100 newest, newest first. */
    list: ({ deployment_id }: DeploymentPath) => listNewestTasks(database, deployment_id),

    get: ({ deployment_id, task_id }: { deployment_id: DeploymentId; task_id: TaskId }) =>
      getTask(database, deployment_id, task_id),

    /** A page, newest first, and the deployment that they are of. */
    async page({ deployment_id }: DeploymentPath, page: Page) {
      const deployment = await getDeployment(database, deployment_id);
      const { rows: tasks, total } = await pageOfTasks(database, deployment_id, page);
      return { deployment, tasks, total };
    },
  };
}

/** `reconfigure:17`: what is done, and with which configuration. */
function parseAction(text: string): { action: TaskAction; configId: ConfigId | null } {
  const [action, id] = text.split(':');
  return { action: action as TaskAction, configId: id === undefined ? null : (Number(id) as ConfigId) };
}

/** @throws Problem `invalid_request` for nodes that are not the deployment's */
function choose({ spec }: Deployment, action: TaskAction, nodes: Wanted['nodes']) {
  if (!nodes) return spec.nodes;
  const known = new Map(spec.nodes.map((node) => [node.id, node]));
  const fieldIssues = nodes.flatMap((id, index) =>
    known.has(id)
      ? []
      : [{ path: `/body/nodes/${index}`, code: 'unknown', message: 'is not a node of the deployment' }],
  );
  if (fieldIssues.length > 0) throw problem('invalid_request', { fieldIssues });
  if (action === 'reconfigure' && nodes.length < known.size)
    throw fieldProblem('nodes', 'too_few', 'has to be absent: a configuration holds for all nodes');
  return nodes.flatMap((id) => known.get(id) ?? []);
}

function requireReady(deployment: Deployment): void {
  requireLive(deployment);
  const { status } = deployment;
  if (!statusIs('acceptsTasks', status)) {
    const detail = `Only a deployment that is initialized or stopped takes tasks; this one is ${status}.`;
    throw problem('state_conflict', { detail });
  }
}

/** What is stopped for work on machines stays so. */
async function requireNoMaintenance(db: Database, id: DeploymentId): Promise<void> {
  if (!(await isUnderMaintenance(db, id))) return;
  const detail = 'The operator works on a machine of the deployment: it takes tasks when that is over.';
  throw problem('state_conflict', { detail });
}

/** What the spend limit or the operator has stopped cannot be started. */
function requireWithinLimit({ limited_until }: Deployment): void {
  if (limited_until === null) return;
  if (limited_until >= suspension)
    throw problem('state_conflict', { detail: 'The operator has suspended the tenant.' });
  const detail =
    'The deployment is stopped since its spend limit is reached: raise or clear the limit. Otherwise it starts at ' +
    `${limited_until.toISOString()}.`;
  throw problem('state_conflict', { detail });
}

async function requireConnectors(db: Database, id: DeploymentId): Promise<void> {
  if ((await countConnectorInstances(db, id)) === 0)
    throw problem('state_conflict', { detail: 'The deployment has no connectors.' });
}

async function requireRoomOnNodes(
  db: Database,
  id: DeploymentId,
  nodes: readonly { id: NodeId }[],
): Promise<void> {
  const open = await listOpenTasks(db, id);
  const counts = nodes.map((node) => open.filter(({ node_id }) => node_id === node.id).length);
  const detail = `A node has ${mostOpenTasks} tasks that have not ended.`;
  requireRoom('open_tasks_per_node', mostOpenTasks, Math.max(...counts), detail);
}
