import type { Job } from '@sluice/controller';
import { figures, type Log } from '@sluice/service';
import { scheduleAllNow } from '@sluice/region-store/reconciliations.store';
import {
  countUnreachable,
  lookForSilence,
  type Change,
  type Silence,
} from '@sluice/region-store/silence.store';
import type { Shared } from '../shared.ts';

export interface SilenceWatchOptions extends Pick<Shared, 'database' | 'metrics' | 'log' | 'now'> {
  /** silence after which a node is unreachable */
  unreachableSeconds: number;
}

/** As many nodes as a line of the log names. */
const mostNamed = 20;

/**
 * Finds nodes whose agents have fallen silent, and those that are back, and has the reconciler turn to their deployments.
 * While the supervisor or its database was down or paused, no agent could be heard: that silence is
 * no node's.
 */
export function silenceJob(options: SilenceWatchOptions): Job {
  const { database, unreachableSeconds: limit, metrics, log } = options;
  const silence: Silence = { limit, pause: Math.min(5, limit / 16), gap: limit / 4 };
  const unreachable = { name: 'sluice_unreachable_nodes', help: 'Nodes whose agents have fallen silent' };
  figures(metrics, { unreachable }, async () => ({ unreachable: await countUnreachable(database) }));

  return {
    name: 'node_silence',
    every: silence.pause,
    run: async () => logChanges(log, await takeNote(options, silence)),
  };
}

async function takeNote({ database, now }: SilenceWatchOptions, silence: Silence): Promise<Change[]> {
  return await database.transaction().execute(async (tx) => {
    const changes = await lookForSilence(tx, silence);
    if (changes.length > 0) {
      const deployments = changes.map(({ deployment_id }) => deployment_id);
      await scheduleAllNow(tx, [...new Set(deployments)], now());
    }
    return changes;
  });
}

function logChanges(log: Log, changes: readonly Change[]): void {
  const silent = changes.flatMap(({ id, unreachable }) => (unreachable ? [id] : []));
  const back = changes.length - silent.length;
  if (silent.length > 0)
    log.warn('nodes are unreachable', { count: silent.length, nodes: silent.slice(0, mostNamed) });
  if (back > 0) log.info('nodes can be reached again', { count: back });
}
