import { Counter, Gauge, Histogram, type Registry } from '@prometheus-io/client';

export type ConsumerMetrics = ReturnType<typeof consumerMetrics>;

/** A service may have several consumers; they share the metrics and differ by their label. */
export function consumerMetrics(registry: Registry) {
  const labelNames = ['consumer'] as const;
  const counter = (name: string, help: string): Counter<'consumer'> => {
    const existing = registry.getSingleMetric(name);
    if (existing instanceof Counter) return existing;
    return new Counter({ name, help, labelNames, registers: [registry] });
  };
  const gauge = (name: string, help: string): Gauge<'consumer'> => {
    const existing = registry.getSingleMetric(name);
    if (existing instanceof Gauge) return existing;
    return new Gauge({ name, help, labelNames, registers: [registry] });
  };
  const handling = (): Histogram<'consumer' | 'outcome'> => {
    const name = 'sluice_message_handling_seconds';
    const existing = registry.getSingleMetric(name);
    if (existing instanceof Histogram) return existing;
    return new Histogram({
      name,
      help: 'Attempts at messages; `failed` says nothing of the message, and is tried again',
      labelNames: ['consumer', 'outcome'],
      buckets: [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30],
      registers: [registry],
    });
  };
  return {
    handling: handling(),
    handled: counter('sluice_messages_handled_total', 'Messages that have had their effect'),
    deadLetters: counter(
      'sluice_dead_letters_total',
      'Messages that are proven wrong, or that an operator has dead-lettered, and became dead letters',
    ),
    notUnderstood: counter(
      'sluice_messages_not_understood_total',
      'Messages that wait for a release that understands them; each counts once in a process',
    ),
    paused: gauge('sluice_consumer_paused', 'Messages whose failure the consumer waits to be over'),
  };
}
