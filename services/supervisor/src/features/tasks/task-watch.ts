import { repeatedly, system, type Log, type UnitOfWork } from '@sluice/service-kit';
import type { DeploymentId } from '@sluice/contracts';
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

const everySeconds = 1;
/** deployments that one look sees to */
const mostAtOnce = 50;

/**
 * Sees to tasks of which nobody says anything: those past their deadline, and those that have waited for a
 * deployment to be ready. Replicas do not disturb each other: what one has done, the next one does not find.
 * @returns ends it
 */
export function watchTasks({
  database,
  work,
  advance,
  listening,
  log,
}: TaskWatchOptions): () => Promise<void> {
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

  return repeatedly({
    everySeconds,
    run: look,
    failed: (error) => log.warn('tasks could not be looked for', { error }),
  });
}
