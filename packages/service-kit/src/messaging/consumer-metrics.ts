import { Counter, Gauge, type Registry } from 'prom-client';

export type ConsumerMetrics = ReturnType<typeof consumerMetrics>;

/** A service may have several consumers; they share the metrics and differ by their label. */
export function consumerMetrics(registry: Registry) {
  const labelNames = ['consumer'];
  const counter = (name: string, help: string): Counter => {
    const existing = registry.getSingleMetric(name);
    if (existing instanceof Counter) return existing;
    return new Counter({ name, help, labelNames, registers: [registry] });
  };
  const gauge = (name: string, help: string): Gauge => {
    const existing = registry.getSingleMetric(name);
    if (existing instanceof Gauge) return existing;
    return new Gauge({ name, help, labelNames, registers: [registry] });
  };
  return {
    handled: counter('sluice_messages_handled_total', 'Messages that have had their effect'),
    deadLetters: counter(
      'sluice_dead_letters_total',
      'Messages that are proven wrong, or were put aside, and became dead letters',
    ),
    notUnderstood: counter(
      'sluice_messages_not_understood_total',
      'Messages that wait for a release that understands them; each counts once in a process',
    ),
    paused: gauge('sluice_consumer_paused', 'Messages whose failure the consumer waits to be over'),
  };
}
