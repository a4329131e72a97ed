import { figures } from '@sluice/service';
import { Gauge, Histogram, type Registry } from 'prom-client';
import type { Database } from '../database/tables.ts';
import { countOverdueDeletions } from '../stores/conditions.store.ts';
import { measureQueue } from '../stores/reconciliations.store.ts';

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
  const queue = {
    due: { name: 'sluice_reconcile_due', help: 'Deployments that are due and that nobody works on' },
    overdueSeconds: {
      name: 'sluice_reconcile_overdue_seconds',
      help: 'How long the oldest of them has been due',
    },
  };
  figures(registry, queue, () => measureQueue(database));
  const deletions = {
    overdue: {
      name: 'sluice_deletions_overdue',
      help: 'Deployments that have not been deleted by their deadline',
    },
  };
  figures(registry, deletions, async () => ({ overdue: await countOverdueDeletions(database) }));
  return {
    reconciliation: new Histogram({
      name: 'sluice_reconcile_seconds',
      help: 'Work on a deployment under one lease; `retried` comes again after a pause, `lease_lost` was given up',
      labelNames: ['outcome'],
      buckets: seconds,
      registers,
    }),
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
