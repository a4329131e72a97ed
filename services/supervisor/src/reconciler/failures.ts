import { statusIs } from '@sluice/contracts';
import { pauseAfter } from '@sluice/system';
import type { Deployment } from '@sluice/region-store/deployments.store';
import type { Phase } from './phases/phase.ts';

/** What becomes of a deployment of which something has failed: when it is tried again, and what people read meanwhile. */

const retryPauses = { first: 200, cap: 10_000 };
/** once it has failed, is deleted or runs, there is no deadline */
const failedPauses = { first: 500, cap: 120_000 };

/** What has failed is not started again and again: each time that it did not come up, it is left alone for longer. */
export function afterEnsuring({ status }: Deployment, failures: number, lastError: string | null) {
  if (status !== 'failed') return { seconds: 1, failures: 0, lastError };
  return { seconds: pauseAfter(failures, failedPauses) / 1_000, failures: failures + 1, lastError };
}

/** Nodes that are still there although the driver has removed them are not removed again and again without a pause. */
export function afterRemoving(failures: number) {
  const seconds = pauseAfter(failures, failedPauses) / 1_000;
  return { seconds, failures: failures + 1, lastError: 'its nodes are still there after they were removed' };
}

/** Seconds until a step that has failed so often in a row is tried again. */
export function pauseOf(status: Deployment['status'] | undefined, failures: number): number {
  const isAwaited = status !== undefined && statusIs('transient', status);
  return pauseAfter(failures, isAwaited ? retryPauses : failedPauses) / 1_000;
}

/** What a person calls the work on a deployment in this status. */
export function subjectOf(status: Deployment['status'], lacking: Phase | undefined): string {
  if (status === 'initialized') return 'keeping its nodes up';
  return status === 'failed' && lacking ? lacking.status : status;
}
