import type { TakenLease } from '@sluice/region-store/reconciliations.store';

/** The right to work on a deployment. */
export interface Lease extends TakenLease {
  /** aborted with `LeaseLost` when the lease has ended, or with what the work was given up for */
  signal: AbortSignal;
}
