import type { NodeId } from '@sluice/contracts';
import type { Job, Schedule } from '@sluice/controller';
import type { ComputeDriver } from '@sluice/drivers';
import type { Database } from '@sluice/region-store/tables';
import { listDeploymentsOf } from '@sluice/region-store/nodes.store';
import { scheduleAllNow } from '@sluice/region-store/reconciliations.store';

/** nodes of which one run reports the change */
const mostAtOnce = 100;

/**
 * Makes the deployments of nodes due whose change the compute driver reports, for the reconciler of any replica. A run that fails leaves
 * the nodes for the next one.
 * @returns how to stop watching
 */
export function watchNodes(
  schedule: Schedule,
  compute: Pick<ComputeDriver, 'watch'>,
  database: Database,
): (() => void) | undefined {
  if (!compute.watch) return undefined;
  const changed = new Set<NodeId>();
  const job: Job = {
    name: 'changed_nodes',
    every: 1,
    async run() {
      const nodes = [...changed].slice(0, mostAtOnce);
      if (nodes.length === 0) return;
      for (const node of nodes) changed.delete(node);
      try {
        const deployments = await listDeploymentsOf(database, nodes);
        await database.transaction().execute((tx) => scheduleAllNow(tx, deployments, new Date()));
      } catch (error) {
        for (const node of nodes) changed.add(node);
        throw error;
      }
    },
  };
  const { wake } = schedule.add(job);
  return compute.watch((nodes) => {
    for (const node of nodes) changed.add(node);
    wake();
  });
}
