/** The lease has ended or another replica holds it. Work that began under it stores nothing more. */
export class LeaseLost extends Error {
  constructor() {
    super('the lease has ended');
  }
}

/** The right of this replica to work on one item, until it ends. */
export interface Lease {
  /** aborted with `LeaseLost` at the end of the lease, else with the reason for which the work is given up */
  readonly signal: AbortSignal;
  /** true once the service stops: the work ends at its next safe point, and is aborted a little later */
  readonly stopping: boolean;
  /** false once the signal is aborted, or the lease has just ended by this process's clock */
  readonly held: boolean;
}

/** A lease as its holder keeps it: it ends by the monotonic clock of this process, never later than by the database's. */
export class HeldLease implements Lease {
  readonly takenAt: number;
  stopping = false;
  readonly #controller = new AbortController();
  #endsAt: number;

  /** @param takenAt before the database was asked, by `performance.now()` */
  constructor(takenAt: number, seconds: number) {
    this.takenAt = takenAt;
    this.#endsAt = takenAt + seconds * 1_000;
  }

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get held(): boolean {
    this.expire(performance.now());
    return !this.signal.aborted;
  }

  /** @param askedAt before the database was asked */
  extend(askedAt: number, seconds: number): void {
    this.#endsAt = askedAt + seconds * 1_000;
  }

  /** Ends the lease if its time is over. */
  expire(now: number): void {
    if (now >= this.#endsAt) this.abort(new LeaseLost());
  }

  abort(reason: Error): void {
    if (!this.signal.aborted) this.#controller.abort(reason);
  }
}
