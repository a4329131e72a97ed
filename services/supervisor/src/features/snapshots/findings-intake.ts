import type { SnapshotFindings, SnapshotId } from '@sluice/contracts';
import type { UnitOfWork } from '@sluice/messaging';
import { problem, system, type Log } from '@sluice/service';
import type { Transaction } from '../../database/tables.ts';
import { findLocked } from '../../stores/deployments.store.ts';
import { recordFindings } from '../../stores/snapshots.store.ts';
import type { Agent } from '../agents/agent-authorizer.ts';
import type { SettleSnapshots } from './settle.ts';

export interface FindingsIntakeOptions {
  work: UnitOfWork<Transaction>;
  settle: SettleSnapshots;
  log: Log;
}

export type TakeFindings = (agent: Agent, id: SnapshotId, findings: SnapshotFindings) => Promise<void>;

/**
 * Takes what a node's examination has found. What comes twice, or late, changes nothing.
 * @throws Problem `not_found` when the node has no such snapshot, or not any more
 */
export function findingsIntake({ work, settle, log }: FindingsIntakeOptions): TakeFindings {
  return async (agent, id, findings) => {
    await work(system, async (tx) => {
      const deployment = await findLocked(tx.db, agent.deploymentId);
      const taken = deployment ? await recordFindings(tx.db, agent, id, findings) : 'unknown';
      if (taken === 'unknown') throw problem('not_found');
    });
    // what is left undone here the watch does
    await settle(agent.deploymentId).catch((error: unknown) =>
      log.warn('snapshots of a deployment could not be seen to', { deployment: agent.deploymentId, error }),
    );
  };
}
