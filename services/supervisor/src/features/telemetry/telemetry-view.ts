import {
  idOf,
  type ConnectorInstanceId,
  type InstanceRunStatus,
  type RuntimeStatus,
} from '@sluice/contracts';
import type { components } from '../../generated/api.ts';
import type { Line, Measured } from './telemetry.store.ts';

type Schemas = components['schemas'];

const instanceOf = (id: number) => (id === 0 ? null : idOf<ConnectorInstanceId>(id));

/** How an instance is (interface, 2.13), by how programs are. */
const instanceStatuses: Record<RuntimeStatus, InstanceRunStatus> = {
  ...{ starting: 'Starting', running: 'Running', stopped: 'Stopped', failed: 'Error' },
};
const programStatuses: Record<InstanceRunStatus, RuntimeStatus> = {
  ...{ Starting: 'starting', Running: 'running', Stopping: 'stopped', Stopped: 'stopped', Error: 'failed' },
};
const isOfProgram = (status: RuntimeStatus | InstanceRunStatus): status is RuntimeStatus =>
  status in instanceStatuses;

const statusOf = ({ instance_id, status }: Measured): Schemas['Measurement']['status'] =>
  status !== null && instance_id !== 0 && isOfProgram(status) ? instanceStatuses[status] : status;

export function measurementView(measured: Measured) {
  const { at, node_id, runtime, instance_id, samples, metrics } = measured;
  const values = Object.entries(metrics).map(([name, [min, max, sum, count]]) => [
    // an instance's counts have the names of the interface (2.13)
    instance_id === 0 ? name : name.replace(/_total$/, ''),
    { min, avg: sum / count, max },
  ]);
  return {
    at: at.toISOString(),
    ...{ node_id, runtime, samples },
    connector_instance_id: instanceOf(instance_id),
    status: statusOf(measured),
    metrics: Object.fromEntries(values) as Schemas['Measurement']['metrics'],
  } satisfies Schemas['Measurement'];
}

export function heartbeatView({ at, node_id, runtime, instance_id, status, samples }: Measured) {
  return {
    at: at.toISOString(),
    ...{ node_id, runtime, samples },
    connector_instance_id: instanceOf(instance_id),
    // only what has one is looked for
    status: status === null ? 'stopped' : isOfProgram(status) ? status : programStatuses[status],
  } satisfies Schemas['RuntimeHeartbeat'];
}

export const lineView = ({ at, node_id, runtime, instance_id, level, message }: Line) =>
  ({
    at: at.toISOString(),
    ...{ node_id, runtime, level, message },
    connector_instance_id: instanceOf(instance_id),
  }) satisfies Schemas['StoredLine'];
