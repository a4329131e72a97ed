import type { DesiredState, Heartbeat } from '@sluice/contracts';
import type { RuntimeStatus } from '../connectors-runtime/protocol.ts';

type Desired = NonNullable<DesiredState['connectors']>;
type Report = NonNullable<Heartbeat['connectors']>;

/** the supervisor refuses a heartbeat with a longer one */
const longestReason = 500;

/** @param running null while there is no process */
export function reportOf(
  desired: Desired,
  running: RuntimeStatus | null,
  failure: string | null,
  plugins: readonly Report['plugins'][number][],
): Report {
  const wanted = new Set<number>(desired.instances.map(({ id }) => id));
  return {
    ...statusOf(desired, running, failure),
    plugins: plugins.map(({ type, key }) => ({ type, key })),
    instances: (running?.instances ?? [])
      .filter(({ id }) => wanted.has(id))
      .map(({ id, status, reason, config_id, config_version, metrics }) => ({
        ...{ id, status, config_id, config_version, metrics },
        reason: reason && reason.slice(0, longestReason),
      })),
  };
}

function statusOf(
  { state, instances }: Desired,
  running: RuntimeStatus | null,
  failure: string | null,
): Pick<Report, 'status' | 'reason'> {
  if (state === 'stopped') return { status: running === null ? 'stopped' : 'running', reason: null };
  if (instances.length === 0) return { status: 'stopped', reason: 'there is no instance of a connector' };
  if (failure !== null) return { status: 'failed', reason: failure.slice(0, longestReason) };
  return { status: running === null ? 'starting' : 'running', reason: null };
}
