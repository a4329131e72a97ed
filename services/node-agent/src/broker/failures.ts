import { createBackoff } from '@sluice/system';

/** A broker that ran for so long starts with a clean record when it ends. Milliseconds. */
const provenAfter = 10_000;

/** How often in a row the broker has failed, and when to try again. */
export class Failures {
  readonly #backoff = createBackoff({ first: 100, cap: 10_000 });
  #count = 0;
  #reason = '';
  #retryAt = 0;
  #runningSince = Infinity;

  get count(): number {
    return this.#count;
  }

  get reason(): string {
    return this.#reason;
  }

  get untilRetry(): number {
    return Math.max(0, this.#retryAt - Date.now());
  }

  /** What failed is not what is tried from now on. */
  reset(): void {
    this.#backoff.reset();
    this.#count = 0;
    this.#retryAt = 0;
  }

  recordStart(): void {
    this.#runningSince = Date.now();
  }

  record(reason: string): void {
    const proven = Date.now() - this.#runningSince > provenAfter;
    if (proven) this.#backoff.reset();
    this.#count = (proven ? 0 : this.#count) + 1;
    this.#reason = reason;
    // The first time it is likely to be an accident that the next start repairs.
    this.#retryAt = Date.now() + (this.#count === 1 ? 0 : this.#backoff.next());
    this.#runningSince = Infinity;
  }
}
