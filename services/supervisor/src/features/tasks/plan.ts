import type { NodeId, TaskId, TaskRuntime } from '@sluice/contracts';
import type { Task } from '@sluice/region-store/tasks.store';

/** What has to be known of a task to say what comes next. */
export type OpenTask = Pick<
  Task,
  'id' | 'submission' | 'node_id' | 'runtime' | 'action' | 'status' | 'outcome' | 'error'
>;

export interface Ending<T extends OpenTask> {
  task: T;
  status: 'completed' | 'failed';
  error: string | null;
}

export interface Plan<T extends OpenTask> {
  ends: Ending<T>[];
  begins: T[];
}

/**
 * Which tasks of a deployment end by what was reported of them, and which begin. A node does one thing after the other for each
 * runtime. A configuration is a matter of all nodes: it begins when it is its turn on each, and ends with the last of them, or at once
 * when one of them has failed.
 * @param open those that have not ended, in their order
 * @param mayBegin whether the deployment is in a state in which something may begin
 */
export function planTasks<T extends OpenTask>(open: readonly T[], mayBegin: boolean): Plan<T> {
  const ends = open.flatMap((task) => endOf(task, open) ?? []);
  const ended = new Set(ends.map(({ task }) => task));
  const left = open.filter((task) => !ended.has(task));
  const turns = turnsOf(left);
  const hasTurn = (task: T) => turns.has(task.id);
  const begins = left.filter(
    (task) =>
      mayBegin &&
      task.status === 'queued' &&
      (task.action === 'reconfigure' ? left.filter((other) => isWith(task, other)) : [task]).every(hasTurn),
  );
  return { ends, begins };
}

const isWith = (task: OpenTask, other: OpenTask) => task.submission === other.submission;

function endOf<T extends OpenTask>(task: T, open: readonly T[]): Ending<T> | undefined {
  const others = task.action === 'reconfigure' ? open.filter((other) => isWith(task, other)) : [task];
  const failed = others.find(({ outcome }) => outcome === 'failed');
  if (failed) {
    const error =
      task.outcome === 'failed' ? task.error : `node ${failed.node_id} rejected it: ${failed.error}`;
    return { task, status: 'failed', error };
  }
  if (others.every(({ outcome }) => outcome === 'completed'))
    return { task, status: 'completed', error: null };
  return undefined;
}

/** The first of each node and runtime. */
function turnsOf(open: readonly OpenTask[]): Set<TaskId> {
  const taken = new Set<`${NodeId} ${TaskRuntime}`>();
  const first = open.filter(({ node_id, runtime }) => {
    const place = `${node_id} ${runtime}` as const;
    return !taken.has(place) && taken.add(place);
  });
  return new Set(first.map(({ id }) => id));
}
