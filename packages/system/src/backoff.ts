/**
 * Milliseconds. All callers have a loop of their own and need only the number; the libraries for this bring the loop, or,
 * as cockatiel's generator, 10 ms of loading, which an agent's start would feel.
 */
export interface BackoffOptions {
  first: number;
  /** the longest pause */
  cap: number;
}

/** The pause after so many failures in a row: `first`, 2 · `first`, 4 · `first` … up to `cap`. */
export function pauseAfter(failures: number, { first, cap }: BackoffOptions): number {
  return Math.min(cap, first * 2 ** failures);
}

/** A value that differs from call to call: within `spread` (0.2: a fifth) below and above `value`, so that many do not act at once. */
export function jittered(value: number, spread = 0.2): number {
  return value * (1 + spread * (2 * Math.random() - 1));
}

export interface Backoff {
  /** Milliseconds to wait before the next attempt; grows with each call. */
  next(): number;
  /** The last attempt succeeded. */
  reset(): void;
}

/** Exponential back-off with jitter: between half and all of what `pauseAfter` says. */
export function createBackoff(options: BackoffOptions): Backoff {
  let failures = 0;
  return {
    next: () => jittered(0.75 * pauseAfter(failures++, options), 1 / 3),
    reset: () => {
      failures = 0;
    },
  };
}
