import { shown } from '@sluice/http';
import type { components } from '../../generated/api.ts';
import type { Deployment } from '@sluice/region-store/deployments.store';
import { placeIn } from '../place-in.ts';
import type { Task } from '@sluice/region-store/tasks.store';

type Schemas = components['schemas'];

/** A task as the interface shows it (completions, "Task record"). */
export const taskView = (task: Task): Schemas['Task'] => ({
  ...shown(task, 'id', 'runtime', 'node_id', 'status', 'error', 'created_at', 'started_at', 'finished_at'),
  type: `${task.runtime}:${task.action}`,
  author_id: task.created_by.author?.id ?? null,
});

const activityStatuses = {
  queued: 'processing',
  running: 'processing',
  completed: 'completed',
  failed: 'rejected',
  cancelled: 'rejected',
} as const;

/** The same as an activity (interface, 2.14). */
export const activityView = (deployment: Deployment, task: Task): Schemas['Activity'] => ({
  ...placeIn(deployment),
  ...shown(task, 'id', 'runtime', 'node_id', 'created_at', 'finished_at'),
  author_id: task.created_by.author?.id ?? null,
  action: actionOf(task),
  status: activityStatuses[task.status],
  reason: task.status === 'cancelled' ? 'the deployment is being deleted' : task.error,
});

/** `restart`, or `reconfigure:17`. */
export const actionOf = ({ action, config_id }: Pick<Task, 'action' | 'config_id'>): string =>
  config_id === null ? action : `${action}:${config_id}`;
