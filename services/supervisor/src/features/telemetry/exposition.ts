import { Counter, Gauge, Registry } from '@prometheus-io/client';
import type { Newest } from './telemetry.store.ts';

const labelNames = ['node', 'runtime', 'connector_instance_id'];

/** Measurements in Prometheus's text format: what grows for ever, by its name, as a counter, all else as gauges. */
export async function exposition(newest: readonly Newest[]): Promise<string> {
  const registry = new Registry();
  const metrics = new Map<string, Gauge<string> | Counter<string>>();
  for (const { node, runtime, instance_id, metrics: values } of newest) {
    const labels = { node, runtime, connector_instance_id: instance_id === 0 ? '' : String(instance_id) };
    for (const [name, value] of Object.entries(values)) {
      const metric = metrics.get(name) ?? metricOf(name, registry);
      metrics.set(name, metric);
      // a counter begins at 0
      if (value >= 0 || metric instanceof Gauge) metric.inc(labels, value);
    }
  }
  return await registry.metrics();
}

function metricOf(name: string, registry: Registry): Gauge<string> | Counter<string> {
  const options = {
    name: `sluice_${name}`,
    help: `${name.replaceAll('_', ' ')}, as reported by the node's agent`,
    labelNames,
    registers: [registry],
  };
  return name.endsWith('_total') ? new Counter(options) : new Gauge(options);
}
