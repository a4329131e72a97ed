import type { components } from '../../generated/api.ts';
import type { Deployment } from '../../stores/deployments.store.ts';
import type { Task } from '../../stores/tasks.store.ts';

type Schemas = components['schemas'];

/** A task as the interface shows it (completions, "Task record"). */
export function taskView(task: Task): Schemas['Task'] {
  const { id, runtime, action, node_id, status, error, created_by, created_at, started_at } = task;
  return {
    id,
    type: `${runtime}:${action}`,
    runtime,
    node_id,
    status,
    error,
    author_id: created_by.author?.id ?? null,
    created_at: created_at.toISOString(),
    started_at: started_at?.toISOString() ?? null,
    finished_at: task.finished_at?.toISOString() ?? null,
  };
}

const activityStatuses = {
  queued: 'processing',
  running: 'processing',
  completed: 'completed',
  failed: 'rejected',
  cancelled: 'rejected',
} as const;

/** The same as an activity (interface, 2.14). */
export function activityView({ spec }: Deployment, task: Task): Schemas['Activity'] {
  const { id, runtime, node_id, status, error, created_by, created_at, finished_at } = task;
  return {
    id,
    tenant_id: spec.tenant_id,
    division_id: spec.division.id,
    environment_id: spec.environment.id,
    deployment_id: spec.id,
    author_id: created_by.author?.id ?? null,
    runtime,
    action: actionOf(task),
    node_id,
    status: activityStatuses[status],
    reason: status === 'cancelled' ? 'the deployment is being deleted' : error,
    created_at: created_at.toISOString(),
    finished_at: finished_at?.toISOString() ?? null,
  };
}

/** `restart`, or `reconfigure:17`. */
export const actionOf = ({ action, config_id }: Pick<Task, 'action' | 'config_id'>): string =>
  config_id === null ? action : `${action}:${config_id}`;
