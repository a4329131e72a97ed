import { setTimeout as delay } from 'node:timers/promises';

export interface PollOptions {
  /** Looks once. It handles its own errors. */
  look: () => Promise<void>;
  /** seconds from one look to the next where nothing wakes it */
  seconds: number;
  /** true: no pause between two looks where a wake-up came during the first */
  eager?: boolean;
}

/**
 * Looks for due work: at an interval, when woken, and at a due time. Looks do not overlap. A wake-up during a look causes one more look
 * after it; between the two it pauses for up to three times as long as the look took, so that wake-ups cannot keep the database busy, unless
 * it is eager.
 */
export class Poll {
  readonly #options: PollOptions;
  readonly #stopping = new AbortController();
  #timer: NodeJS.Timeout | undefined;
  /** of the next look, by the monotonic clock */
  #at = Infinity;
  #again = false;
  #looking: Promise<void> | undefined;

  constructor(options: PollOptions) {
    this.#options = options;
  }

  /** Looks as soon as it may. */
  wake(): void {
    if (this.#stopping.signal.aborted) return;
    this.#again = true;
    this.#looking ??= this.#lookWhileAsked();
  }

  /** Looks in so many seconds at the latest. */
  wakeIn(seconds: number): void {
    const at = performance.now() + seconds * 1_000;
    if (this.#stopping.signal.aborted || at >= this.#at) return;
    this.#at = at;
    this.#setTimer();
  }

  /** Ends after the look that is under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    clearTimeout(this.#timer);
    await this.#looking;
  }

  #setTimer(): void {
    clearTimeout(this.#timer);
    const left = Math.max(0, this.#at - performance.now());
    // a timer of Node.js can fire some milliseconds early, when nothing is due yet
    this.#timer = setTimeout(() => (performance.now() < this.#at ? this.#setTimer() : this.wake()), left);
  }

  async #lookWhileAsked(): Promise<void> {
    const { look, seconds, eager = false } = this.#options;
    const { signal } = this.#stopping;
    try {
      while (this.#again && !signal.aborted) {
        this.#again = false;
        this.#at = Infinity;
        clearTimeout(this.#timer);
        const begunAt = performance.now();
        await look();
        const pause = Math.min(3 * (performance.now() - begunAt), seconds * 1_000);
        if (this.#again && !eager) await delay(pause, undefined, { signal }).catch(() => undefined);
      }
    } finally {
      // in the same tick as the loop's last check, so that a later wake-up starts another run
      this.#looking = undefined;
      this.wakeIn(seconds);
    }
  }
}
