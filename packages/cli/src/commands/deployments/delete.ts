import { deleteDeployment } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import type { DestroyFlags, WaitFlags } from '@sluice/terminal/options';
import { confirm, withCode } from '../../prompts.ts';
import { waitWithSteps } from './waiting.ts';

export async function destroy(cli: Cli, at: string, flags: DestroyFlags & WaitFlags): Promise<void> {
  const { client, places } = await cli.session();
  const place = await places.find('deployment', at);
  const { tenant_id, division_id, environment_id, deployment_id } = place;
  await confirm(cli, { what: `the deployment ${place.path} with everything in it`, name: place.path }, flags);
  const payload = { tenant_id, division_id, environment_id, deployment_id };
  const about = { action: { action_type: 'delete_deployment' as const, payload } };
  await withCode(cli, { tenantId: tenant_id, about }, flags, (code) =>
    deleteDeployment({ client, path: place, ...(code !== undefined && { query: { code } }) }),
  );
  if (flags.wait)
    await waitWithSteps(cli, { deploymentId: deployment_id, timeout: flags.timeout, until: 'gone' });
  cli.say(flags.wait ? `${place.path} is gone.` : `${place.path} is being deleted.`);
}
