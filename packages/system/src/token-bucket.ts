interface Waiting {
  bytes: number;
  pass: () => boolean;
}

/** the burst that can be saved up, in seconds */
const burstSeconds = 1;

/**
 * Lets bytes pass no faster than a rate, in the order in which they came. Shared by all connections in
 * one direction. The rate can change at any time; what waits then goes by the new one.
 */
export class TokenBucket {
  #rate: number | null = null;
  #tokens = 0;
  #filledAt = performance.now();
  #waiting: Waiting[] = [];
  #timer: NodeJS.Timeout | undefined;

  get rate(): number | null {
    return this.#rate;
  }

  set rate(rate: number | null) {
    if (rate === this.#rate) return;
    this.#fill();
    // what was saved up at another rate is not more than a burst at this one
    this.#tokens = Math.min(this.#tokens, burstOf(rate));
    this.#rate = rate;
    this.#release();
  }

  /**
   * Calls `pass` as soon as so many bytes may pass. At once, if that is now.
   * @param pass returns false if they did not: then they are left to the next
   */
  take(bytes: number, pass: () => boolean): void {
    if (this.#rate === null) {
      pass();
      return;
    }
    this.#waiting.push({ bytes, pass });
    if (this.#waiting.length === 1) this.#release();
  }

  /** Lets all pass that may, and comes back for the next. What is larger than a burst passes on credit. */
  #release(): void {
    this.#fill();
    for (;;) {
      const next = this.#waiting[0];
      if (next === undefined) return;
      const rate = this.#rate;
      if (rate !== null) {
        const missing = Math.min(next.bytes, burstOf(rate)) - this.#tokens;
        if (missing > 0) {
          // a caller that passed may have come back for more, and set the timer
          clearTimeout(this.#timer);
          this.#timer = setTimeout(() => this.#release(), Math.ceil((missing / rate) * 1_000));
          return;
        }
        this.#tokens -= next.bytes;
      }
      this.#waiting.shift();
      if (!next.pass() && rate !== null) this.#tokens += next.bytes;
    }
  }

  #fill(): void {
    const now = performance.now();
    const { rate } = this;
    if (rate !== null)
      this.#tokens = Math.min(this.#tokens + ((now - this.#filledAt) / 1_000) * rate, burstOf(rate));
    this.#filledAt = now;
  }
}

const burstOf = (rate: number | null) => (rate ?? 0) * burstSeconds;
