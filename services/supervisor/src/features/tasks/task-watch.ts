import type { DeploymentId } from '@sluice/contracts';
import type { Job } from '@sluice/controller';
import type { UnitOfWork } from '@sluice/messaging';
import { system, type Log } from '@sluice/service';
import type { Database, Transaction } from '../../database/tables.ts';
import { findLocked } from '../../stores/deployments.store.ts';
import type { Listening } from '../../stores/silence.store.ts';
import { listUnsettled } from '../../stores/tasks.store.ts';
import type { AdvanceTasks } from './advance.ts';

export interface TaskWatchOptions {
  database: Database;
  work: UnitOfWork<Transaction>;
  advance: AdvanceTasks;
  listening: Listening;
  log: Log;
}

/** deployments that one look sees to */
const mostAtOnce = 50;

/**
 * Sees to tasks of which nodes report nothing: those past their deadline, and those that have waited for a deployment to be ready.
 * Replicas do not disturb each other: what one has done, the next one does not find.
 */
export function tasksJob({ database, work, advance, listening, log }: TaskWatchOptions): Job {
  async function settle(id: DeploymentId): Promise<void> {
    await work(system, async (tx) => {
      const deployment = await findLocked(tx.db, id);
      if (deployment) await advance(tx, deployment);
    });
  }

  async function look(signal: AbortSignal): Promise<void> {
    for (const id of await listUnsettled(database, listening, mostAtOnce)) {
      if (signal.aborted) return;
      await settle(id).catch((error: unknown) =>
        log.warn('tasks of a deployment could not be seen to', { deployment: id, error }),
      );
    }
  }

  return { name: 'unsettled_tasks', every: 1, run: look };
}
