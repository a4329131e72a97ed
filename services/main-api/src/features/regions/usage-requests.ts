import type { DeploymentId } from '@sluice/contracts';
import type { Job } from '@sluice/controller';
import { system } from '@sluice/service';
import type { Core } from '../../core.ts';
import { bigint, table, time } from '@sluice/main-store/columns';
import { aboutOf, findDeployments } from '@sluice/main-store/deployments.store';
import { sendAgain } from './shapes.ts';

/** The deployments whose usage operators want again. */
table('usage_requests', {
  deployment_id: bigint<DeploymentId>({ primary: true }),
  requested_at: time({ createDate: true }),
});

/** deployments that one transaction asks for */
const batch = 100;

/**
 * Has regions report all usage of deployments again that they remember, as operators want (`sluice-admin billing reconcile`), and records
 * that in the audit logs of their tenants.
 */
export function usageRequestsJob({
  work,
  catalogue,
  prices,
}: Pick<Core, 'work' | 'catalogue' | 'prices'>): Job {
  return {
    name: 'usage_requests',
    every: 30,
    async run(signal) {
      for (let asked = batch; asked === batch && !signal.aborted;)
        asked = await work(system, async (tx) => {
          const rows = await tx.query<{ deployment_id: DeploymentId }>(
            `DELETE FROM usage_requests WHERE deployment_id IN (
               SELECT deployment_id FROM usage_requests LIMIT $1 FOR UPDATE SKIP LOCKED) RETURNING deployment_id`,
            [batch],
          );
          const ids = rows.map(({ deployment_id }) => deployment_id);
          if (ids.length === 0) return 0;
          for (const deployment of await findDeployments(tx, ids))
            tx.emit('billing_usage_requested', aboutOf(deployment), { name: deployment.name });
          await sendAgain(tx, { catalogue, prices }, ids, { questions: new Map(), usage: new Map() });
          return ids.length;
        });
    },
  };
}
