import { Counter, type Registry } from '@prometheus-io/client';

/** What became of what came to a return path. */
export type BounceCounts = Counter<'outcome'>;

export function countBounces(metrics: Registry): BounceCounts {
  return new Counter({
    name: 'sluice_mails_returned_total',
    help: 'What came to return paths: failures that were recorded, known or early, no_failure, unreadable, too_many, or refused at the door',
    labelNames: ['outcome'],
    registers: [metrics],
  });
}
