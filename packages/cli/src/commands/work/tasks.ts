import { createTask, listTasks, waitForTask, type Task, type TaskRuntime } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import type { WaitFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import { inDeployment, verbsOf, type DeploymentCall } from '../entries/entries.ts';
import { withSteps } from '../entries/with-steps.ts';

const view: View<Task> = {
  name: ({ id }) => String(id),
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'TYPE', value: ({ type }) => type },
    { header: 'NODE', value: ({ node_id }) => node_id },
    { header: 'STATUS', value: ({ status }) => status },
    { header: 'CREATED', value: ({ created_at }) => created_at },
    { header: 'ERROR', value: ({ error }) => error },
    { header: 'FINISHED', value: ({ finished_at }) => finished_at, wide: true },
  ],
};

export const tasks = verbsOf<DeploymentCall, Task>({
  noun: 'tasks',
  one: 'task',
  at: inDeployment,
  read: listTasks,
  view,
  id: ({ id }) => id,
});

export async function reconfigure(
  cli: Cli,
  runtime: TaskRuntime,
  at: string | undefined,
  { wait, timeout }: WaitFlags,
): Promise<void> {
  const call = await inDeployment(cli, at);
  const { data } = await createTask({ ...call, body: { type: `${runtime}:reconfigure` } });
  if (!wait) return cli.output.item(data, view);
  const { client, path, signal } = call;
  const ids = { deployment_id: path.deployment_id, task_id: data.id };
  const done = await withSteps(cli, (steps) =>
    waitForTask({
      client,
      ...ids,
      signal,
      timeoutMs: timeout,
      onProgress: ({ status }) => steps.now(status),
    }),
  );
  await cli.output.item(done, view);
}
