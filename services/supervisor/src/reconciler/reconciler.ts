import { type DeploymentId, idOf } from '@sluice/contracts';
import { inTransaction, type Log, type Notifications } from '@sluice/service-kit';
import type pg from 'pg';
import type { ComputeDriver } from '../compute/compute-driver.ts';
import { channels } from '../database/signals.ts';
import type { Database } from '../database/tables.ts';
import { listTrueConditions } from '../stores/conditions.store.ts';
import { findDeployment, type Deployment } from '../stores/deployments.store.ts';
import { listNodes, type Node } from '../stores/nodes.store.ts';
import { findReconciliation, listDue, recordFailure, scheduleNext } from '../stores/reconciliations.store.ts';
import type { ExecuteStep } from './execute-step.ts';
import { dependsOnNodes, nextStep, phaseOf } from './next-step.ts';
import type { Observed, ObservedNode, Phase } from './phases/phase.ts';

export interface ReconcilerOptions {
  database: Database;
  /** connections for the locks, apart from those that the steps use, so that the two cannot starve each other */
  lockPool: pg.Pool;
  notifications: Notifications;
  /** those that the drivers of this installation do */
  phases: readonly Phase[];
  compute: ComputeDriver;
  executeStep: ExecuteStep;
  deadlineSeconds: number;
  now: () => Date;
  log: Log;
}

/** Deployments that one replica works on at the same time; as many connections for locks are needed. */
export const reconcilerConcurrency = 6;

const pollMilliseconds = 1_000;
/** how soon a deployment that another replica is at work on is tried again */
const takenMilliseconds = 100;
const firstRetryMilliseconds = 200;
const longestRetryMilliseconds = 10_000;
/** the first key of the advisory locks, one per deployment */
const lockClass = 0x51_0c;

/**
 * Brings every deployment of the region to where it should be: observes it, executes the one next step, observes again.
 * Replicas share the work: a deployment is reconciled under an advisory lock, which ends with its holder. A change wakes
 * all replicas by NOTIFY; polling finds what a lost notification has missed.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #running = new Map<DeploymentId, Promise<void>>();
  /** to be reconciled; `woken` when something has changed, so that another replica may have observed it too early */
  readonly #waiting = new Map<DeploymentId, { woken: boolean }>();
  #timer: NodeJS.Timeout | undefined;
  #stopped = false;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    await this.#options.notifications.listen(channels.due, (payload) => {
      if (payload === '') void this.#poll();
      else this.wake(idOf<DeploymentId>(Number(payload)));
    });
    this.#timer = setInterval(() => void this.#poll(), pollMilliseconds);
    await this.#poll();
  }

  /** Takes up nothing more and lets the steps that are under way end. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    await Promise.all(this.#running.values());
  }

  /** Reconciles a deployment as soon as possible. */
  wake(deploymentId: DeploymentId): void {
    this.#enqueue(deploymentId, { woken: true });
  }

  #enqueue(deploymentId: DeploymentId, { woken }: { woken: boolean }): void {
    if (this.#stopped) return;
    this.#waiting.set(deploymentId, { woken: woken || this.#waiting.get(deploymentId)?.woken === true });
    this.#takeUp();
  }

  async #poll(): Promise<void> {
    try {
      const { database, now } = this.#options;
      for (const id of await listDue(database, now())) this.#enqueue(id, { woken: false });
    } catch (error) {
      this.#options.log.warn('the deployments that are due could not be read', { error });
    }
  }

  #takeUp(): void {
    for (const [id, { woken }] of this.#waiting) {
      if (this.#stopped || this.#running.size >= reconcilerConcurrency) return;
      // one that is being reconciled is reconciled once more afterwards
      if (this.#running.has(id)) continue;
      this.#waiting.delete(id);
      this.#running.set(
        id,
        this.#reconcile(id, woken).finally(() => {
          this.#running.delete(id);
          this.#takeUp();
        }),
      );
    }
  }

  async #reconcile(id: DeploymentId, woken: boolean): Promise<void> {
    const { lockPool, log } = this.#options;
    try {
      const mine = await inTransaction(lockPool, async (sql) => {
        const [lock] = await sql.query<{ mine: boolean }>(
          'SELECT pg_try_advisory_xact_lock($1, $2) AS mine',
          [
            lockClass,
            // a lock's second key has 32 bits; two deployments that share one wait for each other, no more
            id | 0,
          ],
        );
        if (lock?.mine) await this.#takeSteps(id);
        return lock?.mine;
      });
      // whoever holds it may have observed it before the change that woke this replica
      if (!mine && woken) setTimeout(() => this.wake(id), takenMilliseconds).unref();
    } catch (error) {
      log.warn('a deployment could not be reconciled', { deployment: id, error });
    }
  }

  /** Takes step after step until there is nothing to do. */
  async #takeSteps(id: DeploymentId): Promise<void> {
    const { database, phases, executeStep, now } = this.#options;
    while (!this.#stopped) {
      const [deployment, nodes] = await Promise.all([findDeployment(database, id), listNodes(database, id)]);
      if (!deployment) return;
      const step = nextStep(await this.#observe(deployment, nodes), phases);
      if (step.do === 'wait') {
        return await scheduleNext(database, id, new Date(now().getTime() + step.seconds * 1000));
      }
      try {
        await executeStep(step, deployment, nodes);
      } catch (error) {
        return await this.#retryLater(deployment, error);
      }
      // agents need a moment; what they say wakes the deployment
      if (step.do === 'ensure_nodes') {
        return await scheduleNext(database, id, new Date(now().getTime() + 1000));
      }
    }
  }

  async #observe(deployment: Deployment, nodes: readonly Node[]): Promise<Observed> {
    const { database, phases, deadlineSeconds, now } = this.#options;
    const { id, status } = deployment;
    const deleting = deployment.deleted_by !== null;
    const phase = phaseOf(status, phases);
    const [reconciliation, conditions] = await Promise.all([
      phase && findReconciliation(database, id),
      phase?.condition === undefined ? [] : listTrueConditions(database, id),
    ]);
    return {
      status,
      secondsInStatus: (now().getTime() - deployment.status_changed_at.getTime()) / 1000,
      deadlineSeconds,
      deleting,
      lastError: reconciliation?.last_error ?? null,
      conditions: new Set(conditions),
      revision: deployment.revision,
      nodes: dependsOnNodes({ status, deleting }, phases)
        ? await Promise.all(nodes.map((node) => this.#observeNode(node)))
        : [],
    };
  }

  async #observeNode(node: Node): Promise<ObservedNode> {
    return {
      name: node.name,
      presence: await this.#options.compute.observe(node.id),
      enrolled: node.public_key !== null,
      broker: node.runtimes.find(({ runtime }) => runtime === 'broker'),
      appliedRevision: node.applied_revision,
    };
  }

  async #retryLater({ id, status }: Deployment, error: unknown): Promise<void> {
    const { database, log, now } = this.#options;
    const { failures = 0 } = (await findReconciliation(database, id)) ?? {};
    log.warn('a step of a deployment failed; it will be tried again', {
      deployment: id,
      status,
      failures,
      error,
    });
    const pause = Math.min(firstRetryMilliseconds * 2 ** failures, longestRetryMilliseconds);
    const reason = error instanceof Error ? error.message : String(error);
    await recordFailure(database, id, reason, new Date(now().getTime() + pause));
  }
}
