import { figures } from '@sluice/service';
import { Gauge, Histogram, type Registry } from '@prometheus-io/client';
import type { Database } from '@sluice/region-store/tables';
import { countOverdueDeletions } from '../features/deployments/conditions.store.ts';
import { measureQueue } from '@sluice/region-store/reconciliations.store';

export interface ReconcilerMetrics {
  /** all that is done under one lease */
  reconciliation: Histogram<'outcome'>;
  step: Histogram<'step' | 'outcome'>;
  call: Histogram<'call' | 'outcome'>;
  /** calls that have not come to an end, given up or not */
  callsInFlight: Gauge<'call'>;
}

const seconds = [0.005, 0.02, 0.1, 0.5, 1, 3, 10, 30, 60, 120];

/** What operators see of the reconciler; the queue is read when it is asked for. */
export function reconcilerMetrics(registry: Registry, database: Database): ReconcilerMetrics {
  const registers = [registry];
  const gauges = {
    due: { name: 'sluice_reconcile_due', help: 'Deployments that are due and not leased' },
    overdueSeconds: {
      name: 'sluice_reconcile_overdue_seconds',
      help: 'How long the oldest of them has been due',
    },
    overdue: {
      name: 'sluice_deletions_overdue',
      help: 'Deployments that have not been deleted by their deadline',
    },
  };
  figures(registry, gauges, async () => ({
    ...(await measureQueue(database)),
    overdue: await countOverdueDeletions(database),
  }));
  const histogram = <Label extends string>(name: string, help: string, labelNames: Label[]) =>
    new Histogram({ name, help, labelNames, buckets: seconds, registers });
  return {
    reconciliation: histogram(
      'sluice_reconcile_seconds',
      'Work on a deployment under one lease; `retried` comes again after a pause, `lease_lost` was given up',
      ['outcome'],
    ),
    step: histogram('sluice_reconcile_step_seconds', 'Steps of the reconciler, by what they do', [
      'step',
      'outcome',
    ]),
    call: histogram('sluice_driver_call_seconds', 'Calls of drivers, until they are answered or given up', [
      ...(['call', 'outcome'] as const),
    ]),
    callsInFlight: new Gauge({
      name: 'sluice_driver_calls_in_flight',
      help: 'Calls of drivers that have not come to an end, those that were given up included',
      labelNames: ['call'],
      registers,
    }),
  };
}

/** How many deployments a replica works on, of how many at most, and for how long it has worked on one at most. */
export function measureQueueOf(
  registry: Registry,
  queue: { readonly load: { running: number; size: number }; readonly oldestSeconds: number },
): void {
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(value());
      },
    });
  gauge('sluice_reconcile_slots_used', 'Deployments that this replica works on', () => queue.load.running);
  gauge('sluice_reconcile_slots', 'Deployments that this replica works on at most', () => queue.load.size);
  gauge(
    'sluice_reconcile_lease_seconds',
    'How long this replica has been at work on a deployment at most',
    () => queue.oldestSeconds,
  );
}
