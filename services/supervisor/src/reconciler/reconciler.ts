import { type DeploymentId, idOf } from '@sluice/contracts';
import { inTransaction, type Log, type Notifications } from '@sluice/service-kit';
import type pg from 'pg';
import type { ComputeDriver } from '../compute/compute-driver.ts';
import { channels, type Database } from '../database.ts';
import type { NetworkDriver } from '../network/network-driver.ts';
import { dependsOnNodes, nextStep, type Observed, type ObservedNode } from './next-step.ts';
import {
  findDeployment,
  findDue,
  nodesOf,
  noteFailure,
  restUntil,
  type ReconciledDeployment,
  type ReconciledNode,
} from './reconciler.store.ts';
import type { CarryOut } from './steps.ts';

export interface ReconcilerOptions {
  database: Database;
  /** connections for the locks, apart from those that the steps use, so that the two cannot starve each other */
  lockPool: pg.Pool;
  notifications: Notifications;
  compute: ComputeDriver;
  network: NetworkDriver;
  carryOut: CarryOut;
  deadlineSeconds: number;
  now: () => Date;
  log: Log;
}

/** Deployments that one replica works on at the same time; as many connections for locks are needed. */
export const reconcilerConcurrency = 6;

const pollMilliseconds = 1_000;
/** how soon a deployment that another replica is at work on is looked at again */
const takenMilliseconds = 100;
const firstRetryMilliseconds = 200;
const longestRetryMilliseconds = 10_000;
/** the first key of the advisory locks, one per deployment */
const lockClass = 0x51_0c;

/**
 * Brings every deployment of the region to where it should be: looks at it, carries out the one next step, looks again.
 * Replicas share the work: a deployment is looked at under an advisory lock, which ends with its holder. A change wakes
 * all replicas by NOTIFY; polling finds what a lost notification has missed.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #running = new Map<number, Promise<void>>();
  /** to be looked at; `woken` when something has changed, so that another replica's look may have been too early */
  readonly #waiting = new Map<number, { woken: boolean }>();
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

  /** Looks at a deployment as soon as possible. */
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
      for (const id of await findDue(database, now()))
        this.#enqueue(idOf<DeploymentId>(id), { woken: false });
    } catch (error) {
      this.#options.log.warn('the deployments that are due could not be read', { error });
    }
  }

  #takeUp(): void {
    for (const [id, { woken }] of this.#waiting) {
      if (this.#stopped || this.#running.size >= reconcilerConcurrency) return;
      // one that is being looked at is looked at once more afterwards
      if (this.#running.has(id)) continue;
      this.#waiting.delete(id);
      this.#running.set(
        id,
        this.#lookAt(idOf<DeploymentId>(id), woken).finally(() => {
          this.#running.delete(id);
          this.#takeUp();
        }),
      );
    }
  }

  async #lookAt(id: DeploymentId, woken: boolean): Promise<void> {
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
        if (lock?.mine) await this.#reconcile(id);
        return lock?.mine;
      });
      // whoever holds it may have looked before the change that woke this replica
      if (!mine && woken) setTimeout(() => this.wake(id), takenMilliseconds).unref();
    } catch (error) {
      log.warn('a deployment could not be looked at', { deployment: id, error });
    }
  }

  /** Takes step after step until there is nothing to do. */
  async #reconcile(id: DeploymentId): Promise<void> {
    const { database, carryOut, now } = this.#options;
    while (!this.#stopped) {
      const [deployment, nodes] = await Promise.all([findDeployment(database, id), nodesOf(database, id)]);
      if (!deployment) return;
      const step = nextStep(await this.#observe(deployment, nodes));
      if (step.do === 'rest') {
        return await restUntil(database, id, new Date(now().getTime() + step.seconds * 1000));
      }
      try {
        await carryOut(step, deployment, nodes);
      } catch (error) {
        return await this.#retryLater(deployment, error);
      }
      // agents need a moment; what they say wakes the deployment
      if (step.do === 'ensure_nodes') return await restUntil(database, id, new Date(now().getTime() + 1000));
    }
  }

  async #observe(deployment: ReconciledDeployment, nodes: readonly ReconciledNode[]): Promise<Observed> {
    const { compute, network, deadlineSeconds, now } = this.#options;
    const { status } = deployment;
    const deleting = deployment.deleted_by !== null;
    return {
      status,
      secondsInStatus: (now().getTime() - deployment.status_changed_at.getTime()) / 1000,
      deadlineSeconds,
      steps: [...network.steps, ...compute.steps],
      deleting,
      lastError: deployment.last_error,
      hasSubnet: deployment.subnet !== null,
      networkSecured: deployment.network_secured_at !== null,
      dnsConfigured: deployment.dns_configured_at !== null,
      revision: deployment.revision,
      nodes: dependsOnNodes({ status, deleting })
        ? await Promise.all(nodes.map((node) => this.#observeNode(node)))
        : [],
    };
  }

  async #observeNode(node: ReconciledNode): Promise<ObservedNode> {
    return {
      name: node.name,
      presence: await this.#options.compute.observe(node.id),
      enrolled: node.public_key !== null,
      broker: node.runtimes.find(({ runtime }) => runtime === 'broker'),
      appliedRevision: node.applied_revision,
    };
  }

  async #retryLater({ id, failures, status }: ReconciledDeployment, error: unknown): Promise<void> {
    const { database, log, now } = this.#options;
    log.warn('a step of a deployment failed; it will be tried again', {
      deployment: id,
      status,
      failures,
      error,
    });
    const pause = Math.min(firstRetryMilliseconds * 2 ** failures, longestRetryMilliseconds);
    const reason = error instanceof Error ? error.message : String(error);
    await noteFailure(database, id, reason, new Date(now().getTime() + pause));
  }
}
