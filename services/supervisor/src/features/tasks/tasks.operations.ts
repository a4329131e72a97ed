import { accepted, createdHeaders, listed, ok, pageOf, type Handlers } from '@sluice/http';
import type { operations } from '../../generated/api.ts';
import { activityView, taskView } from './task-views.ts';
import type { TasksService } from './tasks.service.ts';

export function tasksOperations(tasks: TasksService) {
  return {
    async createActivity({ caller, params, body }) {
      const submitted = await tasks.createActivity(caller, params, body ?? {});
      return accepted(
        {},
        submitted.tasks.map((task) => activityView(submitted.deployment, task)),
      );
    },
    async listActivities({ params, query, url }) {
      const page = pageOf(query);
      const { deployment, tasks: found, total } = await tasks.page(params, page);
      return listed(
        url,
        page,
        found.map((task) => activityView(deployment, task)),
        total,
      );
    },
    async createTask({ caller, params, body }) {
      const task = taskView(await tasks.createTask(caller, params, body));
      const location = `/deployments/${params.deployment_id}/tasks/${task.id}`;
      return accepted(createdHeaders('task', task.id, location), task);
    },
    listTasks: async ({ params }) => ok((await tasks.list(params)).map(taskView)),
    getTask: async ({ params }) => ok(taskView(await tasks.get(params))),
  } satisfies Partial<Handlers<operations>>;
}
