import type { Job } from '@sluice/controller';
import type { ServiceRuntime } from '@sluice/runtime';
import { figures } from '@sluice/service';
import { countOpenDifferences } from './restore-differences.store.ts';
import { carryOutDecisions } from './decisions.ts';

/** Carries out what operators decide with `sluice-admin restore`, which wakes it, and measures how much is left to decide. */
export function decisionsJob(
  deciding: Parameters<typeof carryOutDecisions>[0],
  metrics: ServiceRuntime['metrics'],
): Job {
  figures(
    metrics,
    {
      pending: {
        name: 'sluice_restore_review_pending',
        help: 'Differences after a restore of the database that no operator has decided yet; at most 100,000',
      },
    },
    async () => ({ pending: await countOpenDifferences(deciding.database) }),
  );
  return { name: 'restore_decisions', every: 5, run: () => carryOutDecisions(deciding) };
}
