import type { TakenLease } from '../stores/reconciliations.store.ts';

/** The right to work on a deployment. */
export interface Lease extends TakenLease {
  /** aborted with `LeaseLost` when the lease has ended, or with what the work was given up for */
  signal: AbortSignal;
}
