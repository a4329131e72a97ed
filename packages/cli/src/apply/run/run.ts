import { waitForDeployment, type DeploymentDetail, type SluiceClient } from '@sluice/client';
import type { Cli } from '../../cli.ts';
import type { DestroyFlags } from '@sluice/terminal/options';
import { withCode } from '../../prompts.ts';
import type { Existing, Organization } from '../entries.ts';
import type { Run } from '../kinds/kind.ts';

interface RunOptions extends DestroyFlags {
  set: string | undefined;
  timeoutMs: number;
}

const actions = {
  division: 'delete_division',
  environment: 'delete_environment',
  deployment: 'delete_deployment',
} as const;

export function createRun(
  cli: Cli,
  client: SluiceClient,
  { ids, tenantId, placeOf }: Organization,
  { set, timeoutMs, ...flags }: RunOptions,
): Run {
  const { signal } = cli;
  const waits = new Map<string, Promise<DeploymentDetail>>();
  return {
    ...{ client, signal, ids, set, placeOf, timeoutMs },
    async ready(place) {
      const { deployment_id } = ids.path(place);
      const until = ({ status }: DeploymentDetail) => status === 'initialized' || status === 'stopped';
      const wait = waits.get(place) ?? waitForDeployment({ client, signal, timeoutMs, deployment_id, until });
      waits.set(place, wait);
      await wait;
    },
    withCode<T>({ kind, place }: Existing, destroy: (code: string | undefined) => Promise<T>) {
      const { division_id, environment_id, deployment_id } = ids.path(place);
      const payload = {
        ...{ tenant_id: tenantId, division_id },
        ...(environment_id !== 0 && { environment_id }),
        ...(deployment_id !== 0 && { deployment_id }),
      };
      const about = { action: { action_type: actions[kind as keyof typeof actions], payload } };
      return withCode(cli, { tenantId, about }, flags, destroy);
    },
  };
}
