import type { TaskId, TaskResult } from '@sluice/contracts';
import type { UnitOfWork } from '@sluice/messaging';
import { problem, system } from '@sluice/service';
import type { Transaction } from '../../database/tables.ts';
import { findLocked } from '../../stores/deployments.store.ts';
import { recordOutcome } from '../../stores/tasks.store.ts';
import type { Agent } from '../agents/agent-authorizer.ts';
import type { AdvanceTasks } from './advance.ts';

/**
 * Takes a node's report of a task, and goes on with what comes after it. What comes twice, or late, changes nothing.
 * @throws Problem `not_found` when the node has no such task, or not any more
 */
export const taskResults =
  (work: UnitOfWork<Transaction>, advance: AdvanceTasks) =>
  async (agent: Agent, id: TaskId, result: TaskResult): Promise<void> => {
    await work(system, async (tx) => {
      const deployment = await findLocked(tx.db, agent.deploymentId);
      const taken = deployment ? await recordOutcome(tx.db, agent, id, result) : 'unknown';
      if (!deployment || taken === 'unknown') throw problem('not_found');
      if (taken === 'recorded') await advance(tx, deployment);
    });
  };
