import { statusIs, type DeploymentId, type NodeId, type TaskId, type TaskResult } from '@sluice/contracts';
import type { Job } from '@sluice/controller';
import { problem, system } from '@sluice/service';
import { each } from '../../each.ts';
import type { Transaction } from '@sluice/region-store/tables';
import { findApplied, findVersion, applyConfig, recordRejection } from '../configs/configs.store.ts';
import {
  findLocked,
  raiseRevision,
  subjectsOf,
  type Deployment,
} from '@sluice/region-store/deployments.store';
import { scheduleNow } from '@sluice/region-store/reconciliations.store';
import { isToBeStopped, setToBeStopped } from '@sluice/region-store/stopped-runtimes.store';
import {
  beginTask,
  endTask,
  failOverdue,
  listOpenTasks,
  listUnsettled,
  recordOutcome,
  type Beginning,
  type Task,
} from '@sluice/region-store/tasks.store';
import { findVolumeWork } from '@sluice/region-store/volume-work.store';
import type { Agent } from '../agents/agent-authorizer.ts';
import type { Shared, Tx } from '../shared.ts';
import { planTasks, type Ending } from './plan.ts';

/** What a task begins with; a reason when it cannot begin. */
type Wanted = Omit<Beginning, 'revision'> | string;
export type AdvanceTasks = (tx: Tx, deployment: Deployment) => Promise<void>;

/**
 * Ends what tasks of a deployment are done or have failed, takes back what those that failed have wanted, and begins those whose turn it
 * is: from then on their nodes receive them. The deployment has to be locked: everything about its tasks is decided under that lock.
 */
export function taskAdvancer({ heartbeatGrace, now }: Pick<Shared, 'heartbeatGrace' | 'now'>): AdvanceTasks {
  /** @returns whether the desired state of agents changes */
  async function end(tx: Tx, deployment: Deployment, ends: readonly Ending<Task>[]): Promise<boolean> {
    const { db } = tx;
    const undone = ends.filter(({ task, status }) => status === 'failed' && task.status === 'running');
    for (const { task } of undone) await undo(db, task);
    for (const { task } of rejections(undone)) await tellRejection(tx, deployment, task);
    for (const { task, status, error } of ends) await endTask(db, task.id, status, error);
    return undone.length > 0;
  }

  async function undo(db: Transaction['db'], task: Task): Promise<void> {
    const { deployment_id, node_id, runtime, action, former_stopped } = task;
    if (action !== 'reconfigure') {
      if (former_stopped !== null) await setToBeStopped(db, node_id, runtime, former_stopped);
      return;
    }
    const kind = await kindOf(db, task);
    if (kind === undefined) return;
    const former = task.former_config_id;
    if (await applyConfig(db, deployment_id, kind, former)) return;
    // it has been deleted meanwhile
    await applyConfig(db, deployment_id, kind, null);
  }

  async function tellRejection(tx: Tx, deployment: Deployment, task: Task): Promise<void> {
    const { config_id, error, created_by } = task;
    const version = config_id === null ? undefined : await findVersion(tx.db, task.deployment_id, config_id);
    if (config_id === null || version === undefined) return;
    const data = { config_id, ...version, reason: error ?? 'no node says why' };
    await recordRejection(tx.db, config_id, data.reason, now());
    tx.emit('config_rejected', subjectsOf(deployment), data, created_by.correlation_id);
  }

  async function kindOf(db: Transaction['db'], { deployment_id, runtime, config_id }: Task) {
    if (config_id === null) return undefined;
    return runtime === 'broker' ? runtime : (await findVersion(db, deployment_id, config_id))?.kind;
  }

  /** What a task begins with, when what it leads to is wanted from now on; a reason when it cannot begin. */
  async function want(db: Transaction['db'], task: Task, put: Map<string, Wanted>): Promise<Wanted> {
    const { node_id, runtime, action, submission } = task;
    if (action !== 'reconfigure') return await wantState(db, node_id, runtime, action === 'stop');
    const known = put.get(submission) ?? (await wantConfiguration(db, task));
    put.set(submission, known);
    return known;
  }

  async function wantState(
    db: Transaction['db'],
    nodeId: NodeId,
    runtime: Task['runtime'],
    stopped: boolean,
  ): Promise<Wanted> {
    const former = await isToBeStopped(db, nodeId, runtime);
    if (former === undefined) return 'the node is gone';
    await setToBeStopped(db, nodeId, runtime, stopped);
    return { former_stopped: former };
  }

  async function wantConfiguration(db: Transaction['db'], task: Task): Promise<Wanted> {
    const { deployment_id, config_id } = task;
    if (config_id === null) return {};
    const kind = await kindOf(db, task);
    const former = kind === undefined ? null : ((await findApplied(db, deployment_id, kind))?.id ?? null);
    const put = kind !== undefined && (await applyConfig(db, deployment_id, kind, config_id));
    return put ? { former_config_id: former } : 'the configuration has been deleted';
  }

  async function begin({ db }: Transaction, begins: readonly Task[], revision: number): Promise<boolean> {
    const put = new Map<string, Wanted>();
    let refused = false;
    for (const task of begins) {
      const wanted = await want(db, task, put);
      if (typeof wanted === 'string') await endTask(db, task.id, 'failed', wanted);
      else await beginTask(db, task.id, { revision, ...wanted });
      refused ||= typeof wanted === 'string';
    }
    return refused;
  }

  return async function advance(tx, deployment) {
    const { id, status, deleted_by } = deployment;
    await failOverdue(tx.db, id, heartbeatGrace);
    // brokers that are stopped to be copied or restored stay so until that is done
    const mayBegin = statusIs('acceptsTasks', status) && !deleted_by && !(await findVolumeWork(tx.db, id));
    const { ends, begins } = planTasks(await listOpenTasks(tx.db, id), mayBegin);
    if (ends.length + begins.length === 0) return;
    const undone = await end(tx, deployment, ends);
    const revision = undone || begins.length > 0 ? await raiseRevision(tx.db, id) : 0;
    const refused = await begin(tx, begins, revision);
    // what stands behind has its turn already
    if (refused) await advance(tx, deployment);
    await scheduleNow(tx.db, id, now());
  };
}

/** Of each configuration that nodes refused, the task that failed first: the others only follow it. */
function rejections(undone: readonly Ending<Task>[]): Ending<Task>[] {
  const first = new Map<string, Ending<Task>>();
  for (const ending of undone) {
    const { action, outcome, submission } = ending.task;
    if (action === 'reconfigure' && outcome === 'failed' && !first.has(submission))
      first.set(submission, ending);
  }
  return [...first.values()];
}

/**
 * Takes a node's report of a task, and goes on with what comes after it. What comes twice, or late, changes nothing.
 * @throws Problem `not_found` when the node has no such task, or not any more
 */
export const taskResults =
  (work: Shared['work'], advance: AdvanceTasks) =>
  (agent: Agent, id: TaskId, result: TaskResult): Promise<void> =>
    work(system, async (tx) => {
      const deployment = await findLocked(tx.db, agent.deploymentId);
      const taken = deployment ? await recordOutcome(tx.db, agent, id, result) : 'unknown';
      if (!deployment || taken === 'unknown') throw problem('not_found');
      if (taken === 'recorded') await advance(tx, deployment);
    });

export interface TasksJobOptions extends Pick<Shared, 'database' | 'work' | 'heartbeatGrace' | 'log'> {
  advance: AdvanceTasks;
}

/** deployments that one look sees to */
const mostAtOnce = 50;

/**
 * Sees to tasks of which nodes report nothing: those past their deadline, and those that have waited for a deployment to be ready.
 * Replicas do not disturb each other: what one has done, the next one does not find.
 */
export function tasksJob({ database, work, advance, heartbeatGrace, log }: TasksJobOptions): Job {
  const settle = (id: DeploymentId) =>
    work(system, async (tx) => {
      const deployment = await findLocked(tx.db, id);
      if (deployment) await advance(tx, deployment);
    });
  return {
    name: 'unsettled_tasks',
    every: 1,
    run: async (signal) =>
      await each(
        await listUnsettled(database, heartbeatGrace, mostAtOnce),
        settle,
        { log, failed: 'tasks of a deployment could not be settled' },
        signal,
      ),
  };
}
