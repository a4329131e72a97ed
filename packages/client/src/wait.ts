import type { SluiceClient } from './client.ts';
import { clientError, SluiceError } from './error.ts';
import { getBackup, getDeployment, getSnapshot, getTask, listSnapshots } from './generated/sdk.gen.ts';
import type { Backup, DeploymentDetail, DeploymentStatus, Snapshot, Task } from './generated/types.gen.ts';
import { paginate } from './paginate.ts';
import { backoff, pause, timerMs } from './pause.ts';

export interface WaitOptions<T> {
  client: SluiceClient;
  /** how long, in milliseconds (default 10 minutes) */
  timeoutMs?: number;
  signal?: AbortSignal;
  /** called with what is waited for, at first and after each change */
  onProgress?: (value: T) => void;
}

export interface DeploymentWait extends WaitOptions<DeploymentDetail> {
  deployment_id: number;
  /** a status, `gone`, or what decides (default `initialized`) */
  until?: DeploymentStatus | 'gone' | ((deployment: DeploymentDetail) => boolean);
  /** goes on while the deployment is `failed`, which its region retries */
  toleratesFailure?: boolean;
}

/**
 * Waits for a deployment.
 * @returns it as it was last read; undefined when it is gone, which only `until: 'gone'` waits for
 * @throws SluiceError `wait_failed` with the reason, `wait_timed_out`, or why it cannot be read
 */
export async function waitForDeployment(options: DeploymentWait & { until: 'gone' }): Promise<undefined>;
export async function waitForDeployment(options: DeploymentWait): Promise<DeploymentDetail>;
export async function waitForDeployment({
  deployment_id,
  until = 'initialized',
  toleratesFailure = until === 'gone' || until === 'failed',
  ...options
}: DeploymentWait): Promise<DeploymentDetail | undefined> {
  try {
    const path = await options.client.locate(deployment_id, options.signal);
    return await waitFor(
      ({ headers, signal, client }) => getDeployment({ client, path, headers, signal }),
      (deployment) => {
        const { name, status, status_reason } = deployment;
        if (typeof until === 'function' ? until(deployment) : status === until) return true;
        if (status === 'failed' && !toleratesFailure)
          throw clientError(
            'wait_failed',
            `The deployment ${name} has failed: ${status_reason ?? 'no reason is known'}.`,
          );
        if (status === 'deleting' && until !== 'gone')
          throw clientError('wait_failed', `The deployment ${name} is being deleted.`);
        return false;
      },
      options,
    );
  } catch (error) {
    // 404 alone can be of something in between that does not find the service
    if (until === 'gone' && error instanceof SluiceError && error.code === 'not_found') return undefined;
    throw error;
  }
}

/** Waits until a task is completed. @throws SluiceError `wait_failed` with the node's error, `wait_timed_out` */
export async function waitForTask(
  options: WaitOptions<Task> & { deployment_id: number; task_id: number },
): Promise<Task> {
  const path = { deployment_id: options.deployment_id, task_id: options.task_id };
  return waitFor(
    ({ headers, signal, client }) => getTask({ client, path, headers, signal }),
    ({ status, error }) => {
      if (status === 'failed' || status === 'cancelled')
        throw clientError(
          'wait_failed',
          `The task ${path.task_id} is ${status}: ${error ?? 'no reason is known'}.`,
        );
      return status === 'completed';
    },
    options,
  );
}

/** Waits until a backup is completed. @throws SluiceError `wait_failed` with its error, `wait_timed_out` */
export async function waitForBackup(
  options: WaitOptions<Backup> & { deployment_id: number; backup_id: number },
): Promise<Backup> {
  const path = { deployment_id: options.deployment_id, backup_id: options.backup_id };
  return waitFor(
    ({ headers, signal, client }) => getBackup({ client, path, headers, signal }),
    ({ status, error }) => {
      if (status === 'failed' || status === 'deleting')
        throw clientError(
          'wait_failed',
          `The backup ${path.backup_id} is ${status}: ${error ?? 'no reason is known'}.`,
        );
      return status === 'completed';
    },
    options,
  );
}

/** Waits until a node's entry of a snapshot is completed. @throws SluiceError `not_found`, `wait_timed_out` */
export async function waitForSnapshot(
  options: WaitOptions<Snapshot> & { deployment_id: number; snapshot_id: number },
): Promise<Snapshot> {
  const { deployment_id, snapshot_id } = options;
  const path = { deployment_id, snapshot_id };
  return waitFor(
    async ({ client, headers, signal }) => {
      try {
        return await getSnapshot({ client, path, headers, signal });
      } catch (error) {
        // before 1.1.0 there is only the list
        if (!(error instanceof SluiceError) || error.status !== 405) throw error;
        return { data: await findSnapshot(client, path, signal) };
      }
    },
    ({ status }) => status === 'completed',
    options,
  );
}

async function findSnapshot(
  client: SluiceClient,
  { deployment_id, snapshot_id }: { deployment_id: number; snapshot_id: number },
  signal: AbortSignal,
): Promise<Snapshot> {
  for await (const snapshot of paginate(listSnapshots, { client, path: { deployment_id }, signal }))
    if (snapshot.id === snapshot_id) return snapshot;
  throw new SluiceError({ code: 'not_found', status: 404, detail: `There is no snapshot ${snapshot_id}.` });
}

/** What a single look is made with. A server that knows these headers answers as soon as something changes. */
export interface Look {
  client: SluiceClient;
  headers: { Prefer?: string; 'If-None-Match'?: string };
  signal: AbortSignal;
}

interface Found<T> {
  data: T;
  response?: Response;
}

/** longest wait that a server is asked for */
const mostSeconds = 30;
const margin = 15_000;

/**
 * Looks until something is as it should be: with pauses that grow, or without where the server waits itself. A failure that is
 * `retryable` does not end it.
 * @param isDone throws when it cannot be any more
 * @throws SluiceError `wait_timed_out`; what `isDone` and `read` throw; the reason of the signal
 */
export async function waitFor<T>(
  read: (look: Look) => Promise<Found<T>>,
  isDone: (value: T) => boolean,
  { client, timeoutMs = 600_000, signal, onProgress }: WaitOptions<T>,
): Promise<T> {
  const deadline = AbortSignal.timeout(timerMs(timeoutMs));
  const either = signal ? AbortSignal.any([signal, deadline]) : deadline;
  const ends = performance.now() + timeoutMs;
  const patient = client.with({ timeoutMs: mostSeconds * 1_000 + margin });
  let shown: string | undefined;
  let etag: string | null | undefined;
  let unchanged = 0;
  try {
    for (;;) {
      const asked = performance.now();
      const seconds = Math.min(mostSeconds, Math.floor((ends - asked) / 1_000));
      // the first answer is needed at once
      const headers = {
        ...(shown !== undefined && seconds > 0 && { Prefer: `wait=${seconds}` }),
        ...(etag && { 'If-None-Match': etag }),
      };
      const found = await read({ client: patient, headers, signal: either }).catch(unlessTemporary);
      const text = found ? JSON.stringify(found.data) : shown;
      unchanged = text === shown ? unchanged + 1 : 0;
      if (found) {
        etag = found.response?.headers.get('etag');
        if (text !== shown) onProgress?.(found.data);
        shown = text;
        if (isDone(found.data)) return found.data;
      }
      // a server that is about to stop answers at once
      const hasWaited = performance.now() - asked > 1_000;
      const isHeld = found ? isApplied(found) && (unchanged === 0 || hasWaited) : hasWaited;
      if (!isHeld) await pause(backoff(unchanged + 1, 250, 5_000), either);
    }
  } catch (error) {
    if (!deadline.aborted || signal?.aborted || error instanceof SluiceError) throw error;
    throw clientError('wait_timed_out', `It has not happened within ${timeoutMs / 1_000} s.`, {
      retryable: true,
    });
  }
}

const isApplied = ({ response }: Found<unknown>): boolean =>
  response?.headers.get('preference-applied')?.startsWith('wait') ?? false;

/** @returns undefined when nothing has changed, or cannot be seen now */
function unlessTemporary(error: unknown): undefined {
  if (error instanceof SluiceError && (error.retryable || error.status === 304)) return undefined;
  throw error;
}
