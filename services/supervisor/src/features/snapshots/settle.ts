import type { DeploymentId } from '@sluice/contracts';
import type { UnitOfWork } from '@sluice/messaging';
import { system } from '@sluice/service';
import type { Database, Transaction } from '../../database/tables.ts';
import { findLocked } from '../../stores/deployments.store.ts';
import type { Listening } from '../../stores/silence.store.ts';
import { completeFinished, giveUpOverdue, listUnseen, recordSeen } from '../../stores/snapshots.store.ts';
import { seenOf } from './seen.ts';

export interface SettleOptions {
  database: Database;
  work: UnitOfWork<Transaction>;
  listening: Listening;
}

export type SettleSnapshots = (id: DeploymentId) => Promise<void>;

/**
 * Gives up nodes that have not answered in time, notes what the region knows of those that are finished, and completes what all nodes
 * have finished. Repeating it, in however many replicas, does nothing more.
 */
export function snapshotSettler({ database, work, listening }: SettleOptions): SettleSnapshots {
  const locked = (id: DeploymentId, then: (tx: Transaction) => Promise<void>) =>
    work(system, async (tx) => {
      if (await findLocked(tx.db, id)) await then(tx);
    });

  return async (id) => {
    await locked(id, ({ db }) => giveUpOverdue(db, id, listening));
    // reads telemetry of a day: nobody is kept waiting for that
    for (const { id: snapshot, node_id } of await listUnseen(database, id)) {
      const seen = await seenOf(database, id, node_id);
      await recordSeen(database, snapshot, seen);
    }
    await locked(id, ({ db }) => completeFinished(db, id));
  };
}
