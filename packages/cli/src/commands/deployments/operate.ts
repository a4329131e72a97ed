import {
  createActivity,
  listActivities,
  paginate,
  retryDeployment,
  SluiceError,
  waitFor,
  type Activity,
  type DeploymentStatus,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import { usageError } from '@sluice/terminal/errors';
import type { WaitFlags } from '@sluice/terminal/options';
import type { View } from '@sluice/terminal/output';
import type { DeploymentPlace } from '../../places.ts';
import { withSteps } from '../entries/with-steps.ts';
import { waitWithSteps } from './waiting.ts';

export async function wait(
  cli: Cli,
  at: string | undefined,
  flags: { for: string; timeout: number },
): Promise<void> {
  await checkStatus(flags.for);
  const { places } = await cli.session();
  const place = await places.find('deployment', at);
  await waitWithSteps(cli, {
    deploymentId: place.deployment_id,
    timeout: flags.timeout,
    until: flags.for as DeploymentStatus | 'gone',
  });
  cli.say(`${place.path} is ${flags.for}.`);
}

/** A status that there is not would be waited for in vain. */
async function checkStatus(text: string): Promise<void> {
  const { operationById } = await import('../../operations.ts');
  const filter = operationById('listAllDeployments')?.parameters.find(({ name }) => name === 'status');
  const known = [...(filter?.values ?? []), 'gone'];
  if (!known.includes(text))
    throw usageError(`--for: ${text} is no status of a deployment.`, `give one of ${known.join(', ')}`);
}

export async function retry(cli: Cli, at: string | undefined, flags: WaitFlags): Promise<void> {
  const { at: region, places } = await cli.session();
  const place = await places.find('deployment', at);
  await retryDeployment({ client: region(place), path: { deployment_id: place.deployment_id } });
  if (flags.wait)
    await waitWithSteps(cli, {
      deploymentId: place.deployment_id,
      timeout: flags.timeout,
      toleratesFailure: true,
    });
  cli.say(flags.wait ? `${place.path} is initialized.` : `${place.path} is tried again.`);
}

const activityView: View<Activity> = {
  name: ({ id }) => String(id),
  columns: [
    { header: 'ID', value: ({ id }) => id },
    { header: 'NODE', value: ({ node_id }) => node_id },
    { header: 'ACTION', value: ({ runtime, action }) => `${runtime} ${action}` },
    { header: 'STATUS', value: ({ status }) => status },
    { header: 'REASON', value: ({ reason }) => reason },
  ],
};

/** Starts, stops or restarts the broker. */
export async function activity(
  cli: Cli,
  action: string,
  at: string | undefined,
  { node, ...flags }: WaitFlags & { node?: number[] },
): Promise<void> {
  const { at: region, places } = await cli.session();
  const place = await places.find('deployment', at);
  const path = { deployment_id: place.deployment_id, runtime: 'broker' as const, action };
  const { data } = await createActivity({ client: region(place), path, body: node ? { nodes: node } : {} });
  const done = flags.wait ? await untilDone(cli, place, data, flags.timeout) : data;
  await cli.output.list(done, activityView);
}

async function untilDone(
  cli: Cli,
  place: DeploymentPlace,
  begun: Activity[],
  timeoutMs: number,
): Promise<Activity[]> {
  const { at: region } = await cli.session();
  const ids = new Set(begun.map(({ id }) => id));
  const call = { path: { deployment_id: place.deployment_id } };
  async function look(client: ReturnType<typeof region>, signal: AbortSignal): Promise<{ data: Activity[] }> {
    const found: Activity[] = [];
    for await (const one of paginate(listActivities, { client, ...call, signal })) {
      if (ids.has(one.id)) found.push(one);
      if (found.length === ids.size) break;
    }
    return { data: found };
  }
  return withSteps(cli, async (steps) => {
    const done = await waitFor(
      ({ client, signal }) => look(client, signal),
      (all) => all.every(({ status }) => status !== 'processing'),
      {
        client: region(place),
        timeoutMs,
        signal: cli.signal,
        onProgress: (all) =>
          steps.now(`${all.filter(({ status }) => status === 'completed').length} of ${all.length} nodes`),
      },
    );
    const rejected = done.find(({ status }) => status === 'rejected');
    if (rejected) {
      const detail = `Node ${rejected.node_id} has rejected it: ${rejected.reason ?? 'no reason is known'}.`;
      throw new SluiceError({ code: 'wait_failed', detail });
    }
    return done;
  });
}
