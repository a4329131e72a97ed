import { setTimeout as delay } from 'node:timers/promises';
import type { DeploymentStatus, NodeId } from '@sluice/contracts';
import type { Log, Notifications } from '@sluice/service-kit';
import type { Histogram } from 'prom-client';
import type { ComputeDriver } from '../compute/compute-driver.ts';
import { channels } from '../database/signals.ts';
import type { Database } from '../database/tables.ts';
import { findDeployment, type Deployment } from '../stores/deployments.store.ts';
import { nodesRunning } from '../stores/conditions.store.ts';
import { listDeploymentsOf, listNodes, type Node } from '../stores/nodes.store.ts';
import {
  listDue,
  releaseLease,
  scheduleAllNow,
  type Due,
  type Outcome,
} from '../stores/reconciliations.store.ts';
import type { ExecuteStep } from './execute-step.ts';
import { afterEnsuring, afterRemoving, describe, pauseOf, subjectOf } from './failures.ts';
import { LeaseLost, type Lease, type Leases } from './leases.ts';
import { lackingPhase, nextStep, phaseOf } from './next-step.ts';
import { restSeconds, type Observe } from './observe.ts';
import { explainsCluster } from './phases/cluster.ts';
import { absence, listed } from './phases/lacking.ts';
import type { Observed, Phase, Step } from './phases/phase.ts';
import { Slots } from './slots.ts';
import { completed, restReason } from './status-changes.ts';

export interface ReconcilerOptions {
  database: Database;
  leases: Leases;
  notifications: Notifications;
  /** those that the drivers of this installation do */
  phases: readonly Phase[];
  compute: ComputeDriver;
  observe: Observe;
  executeStep: ExecuteStep;
  /** deployments that one replica works on at the same time */
  slots: number;
  /** told how long the work under each lease took, and what came of it */
  reconciliations: Histogram<'outcome'>;
  log: Log;
}

const pollMilliseconds = 1_000;
/** deployments that are read at once, of the slow and of the others */
const pollLimit = 100;
/** what takes longer than this is slow */
const slowMilliseconds = 3_000;
/** how long `stop` waits for what is under way, before it is given up */
const stopMilliseconds = 5_000;
/** seconds between two reasons that people are told */
const tellSeconds = 10;

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
  /** nodes whose change has not been told yet */
  readonly #changed = new Set<NodeId>();
  #unwatch: (() => void) | undefined;
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

  /** those at work */
  get slots(): Pick<Slots, 'running' | 'size'> {
    return this.#slots;
  }

  async start(): Promise<void> {
    await this.#options.notifications.listen(channels.due, () => void this.#poll());
    this.#unwatch = this.#options.compute.watch?.((nodes) => {
      for (const node of nodes) this.#changed.add(node);
      void this.#tellChanged();
    });
    this.#timer = setInterval(() => {
      void this.#tellChanged();
      void this.#poll();
    }, pollMilliseconds);
    await this.#poll();
  }

  /** Takes up nothing more and lets the steps that are under way end; gives up those that take long. */
  async stop(): Promise<void> {
    this.#stopped = true;
    this.#unwatch?.();
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
      await this.#readDue();
      // however often it is asked for, and however much is due, the database has other things to do as well
      if (this.#pollAgain) await delay(Math.min(3 * (performance.now() - startedAt), pollMilliseconds));
    }
    this.#polling = false;
  }

  /** Wakes the deployments of nodes that have changed, for whichever replica; what does not work is done at the next poll. */
  async #tellChanged(): Promise<void> {
    const { database, log } = this.#options;
    const nodes = [...this.#changed].slice(0, pollLimit);
    if (nodes.length === 0 || this.#stopped) return;
    for (const node of nodes) this.#changed.delete(node);
    try {
      const deployments = await listDeploymentsOf(database, nodes);
      await database.transaction().execute((tx) => scheduleAllNow(tx, deployments, new Date()));
    } catch (error) {
      for (const node of nodes) this.#changed.add(node);
      log.warn('changes of nodes could not be told', { nodes: nodes.length, error });
    }
  }

  async #readDue(): Promise<void> {
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
    const { database, reconciliations, log } = this.#options;
    const { deploymentId: id } = lease;
    const startedAt = performance.now();
    const ended = reconciliations.startTimer();
    const slowdown = setTimeout(() => {
      if (!this.#slots.slowDown(id)) lease.abort(new TooManySlow());
    }, slowMilliseconds);
    const outcome = await this.#takeSteps(lease);
    clearTimeout(slowdown);
    ended({ outcome: outcome === 'lost' ? 'lease_lost' : outcome.failures > 0 ? 'retried' : 'done' });
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
    const { phases, executeStep } = this.#options;
    let { failures, lastError } = lease;
    let seen: Seen | undefined;
    let removed = false;
    try {
      while (!this.#stopped) {
        seen = await this.#read(lease);
        if (!seen) break;
        const { deployment, nodes } = seen;
        const observed = await this.#options.observe(deployment, nodes, lease, lastError);
        seen.observed = observed;
        const step = nextStep(observed, phases);
        if (step.do === 'wait') {
          await this.#settle(seen, lease);
          return { seconds: jittered(step.seconds), failures: 0, lastError };
        }
        await executeStep(step, deployment, nodes, lease);
        // agents need a moment; what they say wakes the deployment
        if (step.do === 'ensure_nodes') {
          await this.#tellAbsence(seen, lease);
          return afterEnsuring(deployment, failures, lastError);
        }
        if (step.do === 'remove_nodes' && removed) return afterRemoving(failures);
        removed ||= step.do === 'remove_nodes';
        // the steps of the status before have left nothing to retry
        if (changesStatus(step)) [failures, lastError] = [0, null];
      }
      return { seconds: 0, failures, lastError };
    } catch (error) {
      if (error instanceof LeaseLost) return 'lost';
      if (error instanceof TooManySlow || this.#stopped) return { seconds: 0, failures, lastError };
      return await this.#retryLater(seen, lease, failures, error);
    }
  }

  /** What is stored; undefined when the deployment is gone. */
  async #read({ deploymentId }: Lease): Promise<Seen | undefined> {
    const { database } = this.#options;
    const nodes = await listNodes(database, deploymentId);
    const deployment = await findDeployment(database, deploymentId);
    return deployment && { deployment, nodes };
  }

  async #retryLater(
    seen: Seen | undefined,
    lease: Lease,
    failures: number,
    error: unknown,
  ): Promise<Omit<Outcome, 'slow'>> {
    const { log } = this.#options;
    const { deploymentId: deployment } = lease;
    const status = seen?.deployment.status;
    log.warn('a step of a deployment failed; it will be tried again', {
      deployment,
      status,
      failures,
      error,
    });
    const lastError = describe(error);
    if (seen) await this.#tell(seen, lease, lastError);
    return { seconds: pauseOf(status, failures), failures: failures + 1, lastError };
  }

  /** People are told what is tried again, at once and then every now and then. */
  async #tell({ deployment, nodes, observed }: Seen, lease: Lease, error: string): Promise<void> {
    const { phases, executeStep, log } = this.#options;
    const { id, status, status_reason } = deployment;
    const lacking = observed && lackingPhase(observed, phases);
    const reason = `${subjectOf(status, lacking)} is tried again: ${error}`;
    if (reason === status_reason || (lease.toldSecondsAgo ?? Infinity) < tellSeconds) return;
    await executeStep({ do: 'explain', reason }, deployment, nodes, lease).catch((failure: unknown) =>
      log.warn('why a deployment is tried again could not be told', { deployment: id, error: failure }),
    );
  }

  /** People are told why nodes are not at work, where the driver knows, every now and then. */
  async #tellAbsence({ deployment, nodes, observed }: Seen, lease: Lease): Promise<void> {
    const absent = observed?.nodes.filter((node) => node.reason !== undefined) ?? [];
    const message = listed(absent, absence);
    if (message === null || lasting.has(deployment.status)) return;
    const reason = `${subjectOf(deployment.status, undefined)}: ${message}`;
    if (reason === deployment.status_reason || (lease.toldSecondsAgo ?? Infinity) < tellSeconds) return;
    const condition = { type: nodesRunning, status: 'False', reason: 'NotAtWork', message } as const;
    await this.#options.executeStep({ do: 'explain', reason, condition }, deployment, nodes, lease);
  }

  /** Nothing is tried again any more, unless the phase says so. */
  async #settle({ deployment, nodes, observed }: Seen, lease: Lease): Promise<void> {
    const { status, status_reason } = deployment;
    if (lasting.has(status)) return;
    const phase = phaseOf(status, this.#options.phases);
    const explained = observed && (phase ? phase.explains?.(observed) : explainsCluster(observed));
    const reason = explained ?? (observed ? awaited(observed) : null) ?? restReason(status, deployment);
    if (reason === status_reason) return;
    const atWork = observed && observed.nodes.length > 0 && listed(observed.nodes, absence) === null;
    const step = { do: 'explain', reason, ...(atWork && { condition: completed(nodesRunning) }) } as const;
    await this.#options.executeStep(step, deployment, nodes, lease);
  }
}

/** What its nodes wait for that no driver can do; null when they wait for nothing of the kind. */
function awaited({ status, nodes }: Observed): string | null {
  const waiting = listed(nodes, ({ waitsFor }) => waitsFor ?? null);
  return waiting === null ? null : `${subjectOf(status, undefined)}: ${waiting}`;
}

/** their reason is why the deployment has come into them, and stays */
const lasting: ReadonlySet<DeploymentStatus> = new Set(['failed', 'rolling_back']);
const statusSteps: ReadonlySet<Step['do']> = new Set([
  'enter',
  'fail',
  'begin_upgrade',
  'roll_back',
  'end_upgrade',
]);

const changesStatus = (step: Step) => statusSteps.has(step.do);

interface Seen {
  deployment: Deployment;
  nodes: readonly Node[];
  /** undefined until the drivers have answered */
  observed?: Observed;
}

/** Long pauses differ, so that those who were made together do not come again together. */
function jittered(seconds: number): number {
  return seconds < restSeconds / 2 ? seconds : seconds * (0.8 + 0.4 * Math.random());
}
