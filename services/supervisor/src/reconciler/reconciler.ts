import { statusIs, type DeploymentId } from '@sluice/contracts';
import {
  LeaseLost,
  SlowPlacesTaken,
  WorkQueue,
  type Candidate,
  type Lease as HeldLease,
} from '@sluice/controller';
import type { Log, Notifications } from '@sluice/service';
import { jittered } from '@sluice/system';
import type { Histogram, Registry } from '@prometheus-io/client';
import { describeError } from '@sluice/region-store/describe-error';
import { channels } from '@sluice/region-store/signals';
import type { Database } from '@sluice/region-store/tables';
import { findDeployment, type Deployment } from '@sluice/region-store/deployments.store';
import { nodesRunning } from '../features/deployments/conditions.store.ts';
import { listNodes, type Node } from '@sluice/region-store/nodes.store';
import {
  listDue,
  releaseLease,
  renewLeases,
  takeLease,
  type ReconcileOutcome,
  type TakenLease,
} from '@sluice/region-store/reconciliations.store';
import type { ExecuteStep } from './execute-step.ts';
import { afterEnsuring, afterRemoving, pauseOf, subjectOf } from './failures.ts';
import type { Lease } from './lease.ts';
import { lackingPhase, nextStep, phaseOf } from './next-step.ts';
import { restSeconds, type Observe } from './observe.ts';
import { explainsCluster } from './phases/cluster.ts';
import { absence, listed, unenrolled } from './phases/lacking.ts';
import type { Observed, Phase, Step } from './phases/phase.ts';
import { completed, restReason } from './status-changes.ts';

export interface ReconcilerOptions {
  database: Database;
  notifications: Notifications;
  /** of the replica, for people */
  holder: string;
  leaseSeconds: number;
  /** those that the drivers of this installation do */
  phases: readonly Phase[];
  observe: Observe;
  executeStep: ExecuteStep;
  /** deployments that one replica works on at the same time */
  slots: number;
  /** observes how long the work under each lease took, and what came of it */
  reconciliations: Histogram<'outcome'>;
  metrics: Registry;
  log: Log;
}

type DueDeployment = Candidate & { key: DeploymentId };

const pollSeconds = 1;
/** deployments that are read at once, of the slow and of the others */
const pollLimit = 100;
/** what takes longer than this is slow */
const slowSeconds = 3;
/** how long `stop` waits for what is under way, before it is given up */
const stopSeconds = 5;
/** seconds between two reasons that are recorded */
const explainSeconds = 10;

/**
 * Brings every deployment of the region to where it should be: observes it, executes the one next step, observes again.
 * Replicas share the work: a deployment is reconciled under a lease, and nothing that was decided under a former one is stored. A
 * change makes it due and wakes all replicas by NOTIFY; polling finds what a lost notification has missed. Slow deployments take half of
 * the slots at most, and tenants get turns.
 */
export class Reconciler {
  readonly #options: ReconcilerOptions;
  readonly queue: WorkQueue<DueDeployment, TakenLease>;

  constructor(options: ReconcilerOptions) {
    this.#options = options;
    const { database, holder, leaseSeconds, slots, notifications, metrics, log } = options;
    this.queue = new WorkQueue<DueDeployment, TakenLease>({
      name: 'deployments',
      source: {
        limit: pollLimit,
        async listDue(limit) {
          const due = await listDue(database, limit);
          return due.map(({ id, tenantId, slow }) => ({ key: id, group: tenantId, slow }));
        },
        lease: ({ key }) => takeLease(database, key, holder, leaseSeconds),
      },
      lanes: { size: slots, slow: Math.floor(slots / 2) },
      leaseSeconds,
      async renew(leases) {
        const held = new Set(await renewLeases(database, leases, leaseSeconds));
        return leases.filter(({ deploymentId }) => held.has(deploymentId));
      },
      run: (taken, lease) => this.#work({ ...taken, signal: lease.signal }, lease),
      slowAfterSeconds: slowSeconds,
      pollSeconds,
      listen: (wake) => notifications.listen(channels.due, wake),
      // lets the steps that are under way end; those that take longer are given up
      stopSeconds,
      metrics,
      log,
    });
  }

  /** @returns the seconds after which the deployment is due again */
  async #work(lease: Lease, held: HeldLease): Promise<number> {
    const { database, reconciliations } = this.#options;
    const startedAt = performance.now();
    const ended = reconciliations.startTimer();
    const outcome = await this.#takeSteps(lease, held);
    ended({ outcome: outcome === 'lost' ? 'lease_lost' : outcome.failures > 0 ? 'retried' : 'done' });
    if (outcome === 'lost') throw new LeaseLost();
    const slow = performance.now() - startedAt >= slowSeconds * 1_000;
    const due = await releaseLease(database, lease, { ...outcome, slow });
    return due ? 0 : outcome.seconds;
  }

  /** Takes step after step until there is nothing to do. */
  async #takeSteps(lease: Lease, held: HeldLease): Promise<Omit<ReconcileOutcome, 'slow'> | 'lost'> {
    const { phases, executeStep } = this.#options;
    let { failures, lastError } = lease;
    let seen: Seen | undefined;
    let removed = false;
    try {
      while (!held.stopping) {
        seen = await this.#read(lease);
        if (!seen) break;
        const { deployment, nodes } = seen;
        const observed = await this.#options.observe(deployment, nodes, lease, lastError);
        seen.observed = observed;
        const step = nextStep(observed, phases);
        if (step.do === 'wait') {
          await this.#settle(seen, lease);
          return { seconds: spread(step.seconds), failures: 0, lastError };
        }
        await executeStep(step, deployment, nodes, lease);
        // agents need a moment; what they say wakes the deployment
        if (step.do === 'ensure_nodes') {
          await this.#explainAbsence(seen, lease);
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
      if (error instanceof SlowPlacesTaken || held.stopping) return { seconds: 0, failures, lastError };
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
  ): Promise<Omit<ReconcileOutcome, 'slow'>> {
    const { log } = this.#options;
    const { deploymentId: deployment } = lease;
    const status = seen?.deployment.status;
    const about = { deployment, status, failures, error };
    log.warn('a step of a deployment failed; it will be tried again', about);
    const lastError = describeError(error);
    if (seen) await this.#explainRetry(seen, lease, lastError);
    return { seconds: pauseOf(status, failures), failures: failures + 1, lastError };
  }

  /** Reports what is tried again, at once and then at most every `explainSeconds`. */
  async #explainRetry({ deployment, nodes, observed }: Seen, lease: Lease, error: string): Promise<void> {
    const { phases, executeStep, log } = this.#options;
    const { id, status, status_reason } = deployment;
    const lacking = observed && lackingPhase(observed, phases);
    const reason = `${subjectOf(status, lacking)} is tried again: ${error}`;
    if (reason === status_reason || (lease.reportedSecondsAgo ?? Infinity) < explainSeconds) return;
    await executeStep({ do: 'explain', reason }, deployment, nodes, lease).catch((failure: unknown) =>
      log.warn('why a deployment is tried again could not be reported', { deployment: id, error: failure }),
    );
  }

  /** Reports why nodes are not at work, where the driver knows, at most every `explainSeconds`. */
  async #explainAbsence({ deployment, nodes, observed }: Seen, lease: Lease): Promise<void> {
    const absent = observed?.nodes.filter((node) => node.reason !== undefined) ?? [];
    const message = listed(absent, unenrolled);
    if (message === null || statusIs('keepsReason', deployment.status)) return;
    const reason = `${subjectOf(deployment.status, undefined)}: ${message}`;
    if (reason === deployment.status_reason || (lease.reportedSecondsAgo ?? Infinity) < explainSeconds)
      return;
    const condition = { type: nodesRunning, status: 'False', reason: 'NotAtWork', message } as const;
    await this.#options.executeStep({ do: 'explain', reason, condition }, deployment, nodes, lease);
  }

  /** Nothing is tried again any more, unless the phase says so. */
  async #settle({ deployment, nodes, observed }: Seen, lease: Lease): Promise<void> {
    const { status, status_reason } = deployment;
    if (statusIs('keepsReason', status)) return;
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

/** Long pauses differ, so that deployments that were made together do not come again together. */
function spread(seconds: number): number {
  return seconds < restSeconds / 2 ? seconds : jittered(seconds);
}
