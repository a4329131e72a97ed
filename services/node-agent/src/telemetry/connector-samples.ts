import type { Heartbeat, RuntimeStatus, Sample } from '@sluice/contracts';

type Reported = NonNullable<Heartbeat['connectors']>;
type Instance = Reported['instances'][number];

const statuses: Record<Instance['status'], RuntimeStatus> = {
  Starting: 'starting',
  Running: 'running',
  Stopping: 'stopped',
  Stopped: 'stopped',
  Error: 'failed',
};

/** What a heartbeat tells of connectors, as samples: of their runtime, and of each instance. */
export function connectorSamples(reported: Reported | null): Omit<Sample, 'at'>[] {
  if (reported === null) return [];
  const { status, instances } = reported;
  const running = instances.filter((instance) => instance.status === 'Running').length;
  return [
    { runtime: 'connectors', status, metrics: { instances: instances.length, instances_running: running } },
    ...instances.map(({ id, status: at, metrics }) => ({
      runtime: 'connectors' as const,
      connector_instance_id: id,
      status: statuses[at],
      metrics: counted(metrics),
    })),
  ];
}

/** Counts begin at 0 with the runtime. */
function counted(metrics: Instance['metrics']): Record<string, number> {
  return Object.fromEntries(Object.entries(metrics).map(([name, count]) => [`${name}_total`, count]));
}
