import { Gauge, Histogram, type Registry } from 'prom-client';
import type { Database } from '../database/tables.ts';
import { measureQueue } from '../stores/reconciliations.store.ts';

export interface ReconcilerMetrics {
  step: Histogram<'step' | 'outcome'>;
  call: Histogram<'call' | 'outcome'>;
  /** calls that have not come to an end, given up or not */
  callsInFlight: Gauge<'call'>;
}

const seconds = [0.005, 0.02, 0.1, 0.5, 1, 3, 10, 30, 60, 120];

/** What operators see of the reconciler; the queue is read when it is asked for. */
export function reconcilerMetrics(registry: Registry, database: Database): ReconcilerMetrics {
  const registers = [registry];
  const gauge = (name: string, help: string, value: keyof Awaited<ReturnType<typeof measureQueue>>) =>
    new Gauge({
      name,
      help,
      registers,
      async collect() {
        const queue = await measureQueue(database).catch(() => undefined);
        if (queue) this.set(queue[value]);
      },
    });
  gauge('sluice_reconcile_due', 'Deployments that are due and that nobody works on', 'due');
  gauge('sluice_reconcile_overdue_seconds', 'How long the oldest of them has been due', 'overdueSeconds');
  return {
    step: new Histogram({
      name: 'sluice_reconcile_step_seconds',
      help: 'Steps of the reconciler, by what they do',
      labelNames: ['step', 'outcome'],
      buckets: seconds,
      registers,
    }),
    call: new Histogram({
      name: 'sluice_driver_call_seconds',
      help: 'Calls of drivers, until they are answered or given up',
      labelNames: ['call', 'outcome'],
      buckets: seconds,
      registers,
    }),
    callsInFlight: new Gauge({
      name: 'sluice_driver_calls_in_flight',
      help: 'Calls of drivers that have not come to an end, those that were given up included',
      labelNames: ['call'],
      registers,
    }),
  };
}

/** The age of the oldest lease that this replica holds. */
export function measureLeases(registry: Registry, leases: { readonly oldestSeconds: number }): void {
  new Gauge({
    name: 'sluice_reconcile_lease_seconds',
    help: 'How long this replica has been at work on a deployment at most',
    registers: [registry],
    collect() {
      this.set(leases.oldestSeconds);
    },
  });
}
