import { setTimeout as delay } from 'node:timers/promises';
import type { Log, Notifications } from '@sluice/service-kit';
import { pauseAfter } from '@sluice/system';
import type { ComputeDriver } from '../compute/compute-driver.ts';
import { channels } from '../database/signals.ts';
import type { Database } from '../database/tables.ts';
import { listTrueConditions } from '../stores/conditions.store.ts';
import { findDeployment, type Deployment } from '../stores/deployments.store.ts';
import { listNodes, type Node } from '../stores/nodes.store.ts';
import { listDue, releaseLease, type Due, type Outcome } from '../stores/reconciliations.store.ts';
import type { CallDriver } from './driver-calls.ts';
import type { ExecuteStep } from './execute-step.ts';
import { LeaseLost, type Lease, type Leases } from './leases.ts';
import { dependsOnNodes, nextStep, phaseOf } from './next-step.ts';
import type { Observed, ObservedNode, Phase } from './phases/phase.ts';
import { Slots } from './slots.ts';

export interface ReconcilerOptions {
  database: Database;
  leases: Leases;
  notifications: Notifications;
  /** those that the drivers of this installation do */
  phases: readonly Phase[];
  compute: ComputeDriver;
  callDriver: CallDriver;
  executeStep: ExecuteStep;
  /** deployments that one replica works on at the same time */
  slots: number;
  deadlineSeconds: number;
  now: () => Date;
  log: Log;
}

const pollMilliseconds = 1_000;
/** deployments that are read at once, of the slow and of the others */
const pollLimit = 100;
/** what takes longer than this is slow */
const slowMilliseconds = 3_000;
/** how long `stop` waits for what is under way, before it is given up */
const stopMilliseconds = 5_000;
/** characters of an error that people get to see */
const longestError = 500;
const retryPauses = { first: 200, cap: 10_000 };

/** The slots for slow deployments are taken: this one has to wait for one of them. */
class TooManySlow extends Error {}

/**
 * Brings every deployment of the region to where it should be: observes it, executes the one next step, observes again.
 * Replicas share the work: a deployment is reconciled under a lease, and nothing that was decided under a former one is stored. A
 * change makes it due and wakes all replicas by NOTIFY; polling finds what a lost notification has missed.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly #slots: Slots;
  readonly #running = new Map<Due, Promise<void>>();
  readonly #leases = new Set<Lease>();
  #timer: NodeJS.Timeout | undefined;
  #polling = false;
  #pollAgain = false;
  /** whether there may be more due than were read */
  #more = false;
  #stopped = false;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    this.#slots = new Slots(options.slots);
  }

  async start(): Promise<void> {
    await this.#options.notifications.listen(channels.due, () => void this.#poll());
    this.#timer = setInterval(() => void this.#poll(), pollMilliseconds);
    await this.#poll();
  }

  /** Takes up nothing more and lets the steps that are under way end; gives up those that take long. */
  async stop(): Promise<void> {
    this.#stopped = true;
    clearInterval(this.#timer);
    const giveUp = setTimeout(() => {
      for (const lease of this.#leases) lease.abort(new Error('the supervisor stops'));
    }, stopMilliseconds);
    await Promise.all(this.#running.values());
    clearTimeout(giveUp);
    this.#options.leases.stop();
  }

  /** Reads which deployments are due, and once more if that was asked for meanwhile. */
  async #poll(): Promise<void> {
    this.#pollAgain = true;
    if (this.#polling) return;
    this.#polling = true;
    while (this.#pollAgain && !this.#stopped) {
      this.#pollAgain = false;
      const startedAt = performance.now();
      await this.#read();
      // however often it is asked for, and however much is due, the database has other things to do as well
      if (this.#pollAgain) await delay(Math.min(3 * (performance.now() - startedAt), pollMilliseconds));
    }
    this.#polling = false;
  }

  async #read(): Promise<void> {
    try {
      const due = await listDue(this.#options.database, pollLimit);
      this.#slots.wait(due);
      this.#more = due.length >= pollLimit;
      this.#takeUp();
    } catch (error) {
      this.#options.log.warn('the deployments that are due could not be read', { error });
    }
  }

  #takeUp(): void {
    for (;;) {
      const due = this.#stopped ? undefined : this.#slots.next();
      if (!due) break;
      const ended = this.#reconcile(due).finally(() => {
        this.#running.delete(due);
        this.#slots.end(due.id);
        this.#takeUp();
      });
      this.#running.set(due, ended);
    }
    if (this.#more && this.#slots.waiting === 0) {
      this.#more = false;
      void this.#poll();
    }
  }

  async #reconcile({ id }: Due): Promise<void> {
    const { leases, log } = this.#options;
    try {
      const lease = await leases.take(id);
      if (!lease) return;
      this.#leases.add(lease);
      try {
        await this.#work(lease);
      } finally {
        this.#leases.delete(lease);
        leases.drop(lease);
      }
    } catch (error) {
      log.warn('a deployment could not be reconciled', { deployment: id, error });
    }
  }

  async #work(lease: Lease): Promise<void> {
    const { database, log } = this.#options;
    const { deploymentId: id } = lease;
    const startedAt = performance.now();
    const slowdown = setTimeout(() => {
      if (!this.#slots.slowDown(id)) lease.abort(new TooManySlow());
    }, slowMilliseconds);
    const outcome = await this.#takeSteps(lease);
    clearTimeout(slowdown);
    if (outcome === 'lost') {
      log.info('the lease of a deployment has ended', { deployment: id });
      return;
    }
    const slow = performance.now() - startedAt >= slowMilliseconds;
    const due = await releaseLease(database, lease, { ...outcome, slow });
    if (due) void this.#poll();
    else if (outcome.seconds < pollMilliseconds / 1_000) this.#pollIn(outcome.seconds);
  }

  #pollIn(seconds: number): void {
    setTimeout(() => void this.#poll(), seconds * 1_000).unref();
  }

  /** Takes step after step until there is nothing to do. */
  async #takeSteps(lease: Lease): Promise<Omit<Outcome, 'slow'> | 'lost'> {
    const { database, phases, executeStep } = this.#options;
    const { deploymentId: id } = lease;
    let { failures, lastError } = lease;
    let deployment: Deployment | undefined;
    const rest = (seconds: number) => ({ seconds, failures: 0, lastError });
    try {
      while (!this.#stopped) {
        const nodes = await listNodes(database, id);
        deployment = await findDeployment(database, id);
        if (!deployment) return rest(0);
        const step = nextStep(await this.#observe(deployment, nodes, lease, lastError), phases);
        if (step.do === 'wait') return rest(step.seconds);
        await executeStep(step, deployment, nodes, lease);
        // agents need a moment; what they say wakes the deployment
        if (step.do === 'ensure_nodes') return rest(1);
        // the steps of the status before have left nothing to retry
        if (step.do === 'enter' || step.do === 'fail') [failures, lastError] = [0, null];
      }
      return { seconds: 0, failures, lastError };
    } catch (error) {
      if (error instanceof LeaseLost) return 'lost';
      if (error instanceof TooManySlow || this.#stopped) return { seconds: 0, failures, lastError };
      return this.#retryLater(id, deployment?.status, failures, error);
    }
  }

  async #observe(
    deployment: Deployment,
    nodes: readonly Node[],
    lease: Lease,
    lastError: string | null,
  ): Promise<Observed> {
    const { database, phases, deadlineSeconds, now } = this.#options;
    const { id, status } = deployment;
    const deleting = deployment.deleted_by !== null;
    const phase = phaseOf(status, phases);
    return {
      status,
      secondsInStatus: (now().getTime() - deployment.status_changed_at.getTime()) / 1000,
      deadlineSeconds,
      deleting,
      lastError,
      conditions: new Set(phase?.condition === undefined ? [] : await listTrueConditions(database, id)),
      revision: deployment.revision,
      nodes: dependsOnNodes({ status, deleting }, phases)
        ? await Promise.all(nodes.map((node) => this.#observeNode(node, lease)))
        : [],
    };
  }

  async #observeNode(node: Node, lease: Lease): Promise<ObservedNode> {
    const { compute, callDriver } = this.#options;
    return {
      name: node.name,
      presence: await callDriver('observe', lease, (call) => compute.observe(node.id, call)),
      enrolled: node.public_key !== null,
      broker: node.runtimes.find(({ runtime }) => runtime === 'broker'),
      appliedRevision: node.applied_revision,
    };
  }

  #retryLater(
    deployment: Lease['deploymentId'],
    status: Deployment['status'] | undefined,
    failures: number,
    error: unknown,
  ): Omit<Outcome, 'slow'> {
    const { log } = this.#options;
    log.warn('a step of a deployment failed; it will be tried again', {
      deployment,
      status,
      failures,
      error,
    });
    const lastError = (error instanceof Error ? error.message : String(error)).slice(0, longestError);
    return { seconds: pauseAfter(failures, retryPauses) / 1_000, failures: failures + 1, lastError };
  }
}
