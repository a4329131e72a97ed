import { idOf, type ConnectorInstanceId } from '@sluice/contracts';
import type { components } from '../../generated/api.ts';
import type { Line, Measured } from '../../stores/telemetry.store.ts';

type Schemas = components['schemas'];

const instanceOf = (id: number) => (id === 0 ? null : idOf<ConnectorInstanceId>(id));

export function measurementView({ at, node_id, runtime, instance_id, samples, metrics }: Measured) {
  const values = Object.entries(metrics).map(([name, [min, max, sum, count]]) => [
    name,
    { min, avg: sum / count, max },
  ]);
  return {
    at: at.toISOString(),
    ...{ node_id, runtime, samples },
    connector_instance_id: instanceOf(instance_id),
    metrics: Object.fromEntries(values) as Schemas['Measurement']['metrics'],
  } satisfies Schemas['Measurement'];
}

export function heartbeatView({ at, node_id, runtime, instance_id, status, samples }: Measured) {
  return {
    at: at.toISOString(),
    ...{ node_id, runtime, samples },
    connector_instance_id: instanceOf(instance_id),
    // only such are looked for
    status: status ?? 'stopped',
  } satisfies Schemas['RuntimeHeartbeat'];
}

export function lineView({ at, node_id, runtime, instance_id, level, message }: Line) {
  return {
    at: at.toISOString(),
    ...{ node_id, runtime, level, message },
    connector_instance_id: instanceOf(instance_id),
  } satisfies Schemas['StoredLine'];
}
