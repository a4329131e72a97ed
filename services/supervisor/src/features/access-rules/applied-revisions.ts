import type { Signals } from '@sluice/service';
import type { DeploymentId } from '@sluice/contracts';
import { countBehind } from '@sluice/region-store/nodes.store';
import type { Shared } from '../shared.ts';

export interface AppliedRevisionsOptions extends Pick<Shared, 'database' | 'now'> {
  applied: Signals;
  /** agents that have not reported for longer than this are not waited for */
  silenceSeconds: number;
}

export interface AppliedRevisions {
  /** Resolves when all nodes that can be reached are in `revision` or a later one, and after 3 s at the latest. */
  reached(deploymentId: DeploymentId, revision: number): Promise<void>;
}

const longestMilliseconds = 3_000;
const recheckMilliseconds = 500;

export function createAppliedRevisions(options: AppliedRevisionsOptions): AppliedRevisions {
  const { database, applied, silenceSeconds, now } = options;
  return {
    async reached(deploymentId, revision) {
      const deadline = performance.now() + longestMilliseconds;
      while (performance.now() < deadline) {
        const watch = applied.watch(deploymentId);
        try {
          const since = new Date(now().getTime() - silenceSeconds * 1000);
          if ((await countBehind(database, deploymentId, revision, since)) === 0) return;
          await watch.signalled(Math.max(0, Math.min(recheckMilliseconds, deadline - performance.now())));
        } finally {
          watch.end();
        }
      }
    },
  };
}
