import type { DeploymentId } from '@sluice/contracts';
import type { UnitOfWork } from '@sluice/messaging';
import { system } from '@sluice/service';
import type { Database, Transaction } from '../../database/tables.ts';
import { findLocked } from '../../stores/deployments.store.ts';
import type { HeartbeatGrace } from '../../stores/silence.store.ts';
import { completeFinished, giveUpOverdue, listUnseen, recordSeen } from '../../stores/snapshots.store.ts';
import { observedState } from './observed-state.ts';

export interface SettleOptions {
  database: Database;
  work: UnitOfWork<Transaction>;
  heartbeatGrace: HeartbeatGrace;
}

export type SettleSnapshots = (id: DeploymentId) => Promise<void>;

/**
 * Gives up nodes that have not answered in time, notes what the region knows of those that are finished, and completes what all nodes
 * have finished. Repeating it, in however many replicas, does nothing more.
 */
export function snapshotSettler({ database, work, heartbeatGrace }: SettleOptions): SettleSnapshots {
  const locked = (id: DeploymentId, then: (tx: Transaction) => Promise<unknown>) =>
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
