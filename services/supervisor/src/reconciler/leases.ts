import type { DeploymentId } from '@sluice/contracts';
import type { Log } from '@sluice/service-kit';
import type { Database } from '../database/tables.ts';
import { renewLeases, takeLease, type TakenLease } from '../stores/reconciliations.store.ts';

/** Somebody else is at work on the deployment, or nobody knows: what was begun under the lease stores nothing any more. */
export class LeaseLost extends Error {
  constructor() {
    super('the lease of the deployment has ended');
  }
}

/** A deployment in this replica's hands. */
export interface Lease extends TakenLease {
  /** aborted with `LeaseLost` when the lease has ended, or with what the work was given up for */
  signal: AbortSignal;
  /** Gives up what is under way. */
  abort(reason: Error): void;
}

export interface LeasesOptions {
  database: Database;
  /** who holds them, for people */
  holder: string;
  seconds: number;
  log: Log;
}

interface Held {
  lease: Lease;
  takenAt: number;
  /** by the monotonic clock of this process, never later than by the database's */
  endsAt: number;
}

/** Takes leases and renews them all by one statement while the work goes on. A replica that is frozen or cut off loses them. */
export class Leases {
  readonly #options: LeasesOptions;
  readonly #held = new Map<DeploymentId, Held>();
  readonly #timer: NodeJS.Timeout;
  #renewing = false;

  constructor(options: LeasesOptions) {
    this.#options = options;
    this.#timer = setInterval(() => this.#keep(), (options.seconds * 1_000) / 3);
  }

  /** Undefined when the deployment is not due, or in other hands. */
  async take(id: DeploymentId): Promise<Lease | undefined> {
    const { database, holder, seconds } = this.#options;
    const takenAt = performance.now();
    const taken = await takeLease(database, id, holder, seconds);
    if (!taken) return undefined;
    const controller = new AbortController();
    const lease = {
      ...taken,
      signal: controller.signal,
      abort: (reason: Error) => controller.abort(reason),
    };
    this.#held.set(id, { lease, takenAt, endsAt: takenAt + seconds * 1_000 });
    return lease;
  }

  /** Renews the lease no more. */
  drop({ deploymentId }: Lease): void {
    this.#held.delete(deploymentId);
  }

  /** The age of the oldest lease that is held, in seconds; 0 without any. */
  get oldestSeconds(): number {
    const since = Math.min(performance.now(), ...[...this.#held.values()].map(({ takenAt }) => takenAt));
    return (performance.now() - since) / 1_000;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #keep(): void {
    const now = performance.now();
    for (const { lease, endsAt } of this.#held.values()) if (endsAt <= now) this.#lose(lease);
    if (this.#held.size > 0 && !this.#renewing) void this.#renew();
  }

  async #renew(): Promise<void> {
    const { database, seconds, log } = this.#options;
    const asked = [...this.#held.values()];
    this.#renewing = true;
    const renewedAt = performance.now();
    try {
      const leases = asked.map(({ lease }) => lease);
      const held = new Set(await renewLeases(database, leases, seconds));
      for (const one of asked) {
        if (held.has(one.lease.deploymentId)) one.endsAt = renewedAt + seconds * 1_000;
        else this.#lose(one.lease);
      }
    } catch (error) {
      log.warn('the leases of deployments could not be renewed', { error });
    } finally {
      this.#renewing = false;
    }
  }

  #lose(lease: Lease): void {
    if (this.#held.get(lease.deploymentId)?.lease === lease) this.drop(lease);
    lease.abort(new LeaseLost());
  }
}
