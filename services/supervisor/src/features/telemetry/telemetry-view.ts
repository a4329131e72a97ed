import {
  idOf,
  type ConnectorInstanceId,
  type InstanceRunStatus,
  type RuntimeStatus,
} from '@sluice/contracts';
import { shown } from '@sluice/http';
import type { components } from '../../generated/api.ts';
import type { Line, Measured } from './telemetry.store.ts';

type Schemas = components['schemas'];

/** The statuses of instances of connectors (interface, 2.13), by those of programs. */
const instanceStatuses: Record<RuntimeStatus, InstanceRunStatus> = {
  ...{ starting: 'Starting', running: 'Running', stopped: 'Stopped', failed: 'Error' },
};
const programStatuses: Record<InstanceRunStatus, RuntimeStatus> = {
  ...{ Starting: 'starting', Running: 'running', Stopping: 'stopped', Stopped: 'stopped', Error: 'failed' },
};
const isOfProgram = (status: RuntimeStatus | InstanceRunStatus): status is RuntimeStatus =>
  status in instanceStatuses;

const placeOf = (entry: Pick<Measured, 'at' | 'node_id' | 'runtime' | 'instance_id'>) => ({
  ...shown(entry, 'at', 'node_id', 'runtime'),
  connector_instance_id: entry.instance_id === 0 ? null : idOf<ConnectorInstanceId>(entry.instance_id),
});

export function measurementView(measured: Measured): Schemas['Measurement'] {
  const { instance_id, status, samples, metrics } = measured;
  const values = Object.entries(metrics).map(([name, [min, max, sum, count]]) => [
    // an instance's counts have the names of the interface (2.13)
    instance_id === 0 ? name : name.replace(/_total$/, ''),
    { min, avg: sum / count, max },
  ]);
  const isTranslated = status !== null && instance_id !== 0 && isOfProgram(status);
  return {
    ...placeOf(measured),
    samples,
    status: isTranslated ? instanceStatuses[status] : status,
    metrics: Object.fromEntries(values) as Schemas['Measurement']['metrics'],
  };
}

export const heartbeatView = (measured: Measured): Schemas['RuntimeHeartbeat'] => {
  // only what has one is looked for
  const { status, samples } = { ...measured, status: measured.status ?? 'stopped' };
  return { ...placeOf(measured), samples, status: isOfProgram(status) ? status : programStatuses[status] };
};

export const lineView = (line: Line): Schemas['StoredLine'] => ({
  ...placeOf(line),
  ...shown(line, 'level', 'message'),
});
