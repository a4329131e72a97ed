import type { DeploymentId } from '@sluice/contracts';
import type { Job } from '@sluice/controller';
import { system } from '@sluice/service';
import { each } from '../../each.ts';
import { findLocked } from '@sluice/region-store/deployments.store';
import {
  completeFinished,
  giveUpOverdue,
  listUnseen,
  listUnsettledSnapshots,
  recordSeen,
} from '@sluice/region-store/snapshots.store';
import type { Shared, Tx } from '../shared.ts';
import { observedState } from './observed-state.ts';

export type SettleSnapshots = (id: DeploymentId) => Promise<void>;

/**
 * Gives up nodes that have not answered in time, notes what the region knows of those that are finished, and completes what all nodes
 * have finished. Repeating it, in however many replicas, does nothing more.
 */
export function snapshotSettler(
  options: Pick<Shared, 'database' | 'work' | 'heartbeatGrace'>,
): SettleSnapshots {
  const { database, work, heartbeatGrace } = options;
  const locked = (id: DeploymentId, then: (tx: Tx) => Promise<unknown>) =>
    work(system, async (tx) => {
      if (await findLocked(tx.db, id)) await then(tx);
    });

  return async (id) => {
    await locked(id, ({ db }) => giveUpOverdue(db, id, heartbeatGrace));
    // reads telemetry of a day: no request waits for that
    for (const { id: snapshot, node_id } of await listUnseen(database, id)) {
      const seen = await observedState(database, id, node_id);
      await recordSeen(database, snapshot, seen);
    }
    await locked(id, ({ db }) => completeFinished(db, id));
  };
}

export interface SnapshotsJobOptions extends Pick<Shared, 'database' | 'heartbeatGrace' | 'log'> {
  settle: SettleSnapshots;
}

/** deployments that one look sees to */
const mostAtOnce = 50;

/** Completes snapshots that no report completes any more: those past their deadline, and those whose supervisor ended in between. */
export const snapshotsJob = ({ database, settle, heartbeatGrace, log }: SnapshotsJobOptions): Job => ({
  name: 'unsettled_snapshots',
  every: 1,
  run: async (signal) =>
    await each(
      await listUnsettledSnapshots(database, heartbeatGrace, mostAtOnce),
      settle,
      { log, failed: 'snapshots of a deployment could not be settled' },
      signal,
    ),
});
