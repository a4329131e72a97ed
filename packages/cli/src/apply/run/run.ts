import {
  getDeploymentAtSupervisor,
  SluiceError,
  waitForDeployment,
  type DeploymentDetail,
  type SluiceClient,
} from '@sluice/client';
import type { Cli } from '../../cli.ts';
import type { DestroyFlags } from '@sluice/terminal/options';
import { withCode } from '../../prompts.ts';
import type { Existing, Organization } from '../entries.ts';
import type { Run } from '../kinds/kind.ts';
import { turns } from '../turns.ts';
import { PersonNeeded } from './person-needed.ts';
import { createSlots } from './slots.ts';

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
  const alone = turns(1);
  const waits = new Map<string, Promise<void>>();
  return {
    ...{ client, signal, ids, set, placeOf, timeoutMs },
    slot: createSlots({ client, signal, tenantId, timeoutMs, say: (text) => cli.say(text) }),
    async ready(place) {
      const { deployment_id } = ids.path(place);
      const wait = waits.get(place) ?? untilReady({ client, signal, timeoutMs }, place, deployment_id);
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
      return withCode(cli, { tenantId, about, title: `The ${kind} ${place}`, alone }, flags, destroy);
    },
  };
}

type Waiting = Pick<Run, 'client' | 'signal' | 'timeoutMs'>;

/** @throws PersonNeeded where it waits for machines that nobody has enrolled */
async function untilReady({ client, signal, timeoutMs }: Waiting, place: string, id: number): Promise<void> {
  const isReady = ({ status }: DeploymentDetail) => status === 'initialized' || status === 'stopped';
  const ends = performance.now() + timeoutMs;
  const wait = (until: (deployment: DeploymentDetail) => boolean) =>
    waitForDeployment({
      ...{ client, signal, deployment_id: id, until },
      timeoutMs: Math.max(1, ends - performance.now()),
    });
  const found = await wait((one) => isReady(one) || one.status === 'waiting_for_nodes');
  if (isReady(found)) return;
  const missing = await unenrolled(client, signal, id);
  if (missing.length > 0) throw new PersonNeeded(place, missing);
  await wait(isReady);
}

/** The nodes that are waited for because nobody has enrolled them. A region that does not answer says nothing. */
async function unenrolled(
  client: SluiceClient,
  signal: AbortSignal,
  deployment_id: number,
): Promise<string[]> {
  try {
    const { data } = await getDeploymentAtSupervisor({ client, signal, path: { deployment_id } });
    const isWaiting = data.conditions.some(({ reason }) => reason === 'WaitingForEnrolment');
    return isWaiting ? data.nodes.filter(({ status }) => status !== 'healthy').map(({ name }) => name) : [];
  } catch (error) {
    if (error instanceof SluiceError && (error.retryable || error.status === 404)) return [];
    throw error;
  }
}
