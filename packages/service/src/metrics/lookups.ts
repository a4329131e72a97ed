import type { LookupOutcome } from '@sluice/system/destinations';
import { Counter, type Registry } from 'prom-client';

/** Counts lookups of names that tenants have chosen, by how they ended. */
export function countLookups(metrics: Registry): (outcome: LookupOutcome) => void {
  const lookups = new Counter({
    name: 'sluice_name_lookups_total',
    help: 'Lookups of names that tenants have chosen: found, oversized, unknown, unanswered, remembered as failed, or crowded out by others of the tenant',
    labelNames: ['outcome'],
    registers: [metrics],
  });
  return (outcome) => lookups.inc({ outcome });
}
