import type { Heartbeat, RuntimeStatus, Sample } from '@sluice/contracts';
import type { RuntimeTotals } from '../connectors-runtime/protocol.ts';

type Reported = NonNullable<Heartbeat['connectors']>;
type Instance = Reported['instances'][number];

const statuses: Record<Instance['status'], RuntimeStatus> = {
  Starting: 'starting',
  Running: 'running',
  Stopping: 'stopped',
  Stopped: 'stopped',
  Error: 'failed',
};

export function connectorSamples(
  reported: Reported | null,
  totals: RuntimeTotals | null,
): Omit<Sample, 'at'>[] {
  if (reported === null) return [];
  const { status, instances } = reported;
  const used = totals ?? { running_sources: 0, running_sinks: 0 };
  return [
    { runtime: 'connectors', status, metrics: { instances: instances.length, ...used } },
    ...instances.map(({ id, status: at, metrics }) => ({
      runtime: 'connectors' as const,
      connector_instance_id: id,
      status: statuses[at],
      instance_status: at,
      metrics: counted(metrics),
    })),
  ];
}

/** Counts begin at 0 with the runtime. */
function counted(metrics: Instance['metrics']): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).map(([name, count]) => [`${name}_total`, count]));
}
