import type { NodeId } from '@sluice/contracts';
import { abortable, type Job } from '@sluice/controller';
import { figures } from '@sluice/service';
import { jittered } from '@sluice/system';
import { Counter, type Registry } from '@prometheus-io/client';
import type { ComputeDriver } from '@sluice/drivers';
import type { Database } from '@sluice/region-store/tables';
import { lockNodes } from '@sluice/region-store/nodes.store';
import { countOrphans, forgetOrphan, isOrphan, listOldOrphans, recordOrphans } from './orphans.store.ts';
import type { Shared } from '../shared.ts';

export interface OrphansOptions extends Pick<Shared, 'database' | 'metrics' | 'log'> {
  compute: Pick<ComputeDriver, 'list' | 'removeNode'>;
  /** for how long a node that no deployment has is left alone: its deployment may come again with main-api's inventory */
  seconds: number;
  /** for how long the driver may take to list or remove */
  callSeconds: number;
}

/** as many nodes as a line of the log names */
const mostNamed = 20;
/** shorter than the database lets a transaction rest */
const longestCall = 30;

/**
 * Finds what the driver runs for no deployment, such as nodes that were made after the copy that the region's database was restored from,
 * and removes it after a while.
 */
export function orphansJob(options: OrphansOptions): Job {
  const { database, seconds, metrics, log } = options;
  const removed = measure(metrics, database);

  async function look(signal: AbortSignal): Promise<void> {
    const found = await abortable(options.compute.list(), limit(options));
    const news = await database.transaction().execute((tx) => recordOrphans(tx, found));
    if (news.length > 0)
      log.warn('nodes were found that no deployment has', {
        count: news.length,
        nodes: news.slice(0, mostNamed),
      });
    for (const node of await listOldOrphans(database, seconds)) {
      if (signal.aborted) return;
      if (await removeOrphan(options, node)) removed.inc();
    }
  }

  return {
    name: 'orphaned_nodes',
    every: () => jittered(Math.min(Math.max(seconds / 4, 0.5), 60)),
    run: look,
  };
}

const limit = ({ callSeconds }: OrphansOptions) =>
  AbortSignal.timeout(Math.min(callSeconds, longestCall) * 1000);

/** Removes a node while no deployment can come to have it. */
async function removeOrphan(options: OrphansOptions, node: NodeId): Promise<boolean> {
  const { database, compute, log } = options;
  return await database.transaction().execute(async (tx) => {
    await lockNodes(tx, [node]);
    if (!(await isOrphan(tx, node))) return false;
    const signal = limit(options);
    const confirm = () => Promise.resolve(signal.throwIfAborted());
    // the highest fence: what this meets was left behind, and its mark goes with it
    const call = { fence: Number.MAX_SAFE_INTEGER, signal, confirm };
    await abortable(compute.removeNode(node, call), signal);
    await forgetOrphan(tx, node);
    log.warn('a node that no deployment has was removed', { node });
    return true;
  });
}

function measure(metrics: Registry, database: Database): Counter {
  const orphans = {
    name: 'sluice_orphaned_nodes',
    help: 'Nodes that the compute driver has, and no deployment',
  };
  figures(metrics, { orphans }, async () => ({ orphans: await countOrphans(database) }));
  return new Counter({
    name: 'sluice_orphaned_nodes_removed_total',
    help: 'Nodes that were removed since no deployment had them',
    registers: [metrics],
  });
}
