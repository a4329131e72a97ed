import {
  getDeploymentAtSupervisor,
  SluiceError,
  waitForDeployment,
  type DeploymentDetail,
  type requestProtectionCode,
  type SluiceClient,
} from '@sluice/client';
import type { Existing, Organization } from '../entries.ts';
import type { Run } from '../kinds/kind.ts';
import { turns } from '../turns.ts';
import { PersonNeeded } from './person-needed.ts';
import { createSlots } from './slots.ts';

/** Something that is deleted and may be protected. */
export interface ProtectedDeletion {
  tenantId: number;
  /** what `requestProtectionCode` takes */
  about: Parameters<typeof requestProtectionCode>[0]['body'];
  /** such as `The deployment payments/dev/orders` */
  title: string;
  /** has questions come one after the other, where several deletions are under way */
  alone: <T>(ask: () => Promise<T>) => Promise<T>;
}

export interface RunOptions {
  signal: AbortSignal;
  /** how long a deployment is waited for */
  timeoutMs: number;
  /** called with a sentence that says what is waited for */
  say?: (text: string) => void;
  /** Calls `destroy` with the one-time code that it needs, if any. Without it what is protected is not deleted. */
  withCode?: <T>(deletion: ProtectedDeletion, destroy: (code?: string) => Promise<T>) => Promise<T>;
}

const actions = {
  division: 'delete_division',
  environment: 'delete_environment',
  deployment: 'delete_deployment',
} as const;

/** What the steps of a plan are carried out with. */
export function createRun(
  client: SluiceClient,
  { ids, tenantId, placeOf }: Organization,
  set: string | undefined,
  { signal, timeoutMs, say = () => {}, withCode = (_deletion, destroy) => destroy() }: RunOptions,
): Run {
  const alone = turns(1);
  const waits = new Map<string, Promise<void>>();
  return {
    ...{ client, signal, ids, set, placeOf, timeoutMs },
    slot: createSlots({ client, signal, tenantId, timeoutMs, say }),
    async ready(place) {
      const { deployment_id } = ids.path(place);
      const wait = waits.get(place) ?? untilReady({ client, signal, timeoutMs }, place, deployment_id);
      waits.set(place, wait);
      await wait;
    },
    withCode<T>({ kind, place }: Existing, destroy: (code?: string) => Promise<T>) {
      const { division_id, environment_id, deployment_id } = ids.path(place);
      const payload = {
        ...{ tenant_id: tenantId, division_id },
        ...(environment_id !== 0 && { environment_id }),
        ...(deployment_id !== 0 && { deployment_id }),
      };
      const about = { action: { action_type: actions[kind as keyof typeof actions], payload } };
      return withCode({ tenantId, about, title: `The ${kind} ${place}`, alone }, destroy);
    },
  };
}

type Waiting = Pick<Run, 'client' | 'signal' | 'timeoutMs'>;

/** @throws PersonNeeded where it waits for machines that are not enrolled */
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

/** The nodes that are waited for until they are enrolled. A region that does not answer says nothing. */
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
