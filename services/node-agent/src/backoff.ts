export interface Backoff {
  /** Milliseconds to wait before the next attempt; grows with each call. */
  next(): number;
  /** The last attempt succeeded. */
  reset(): void;
}

/** Exponential backoff with jitter: between half and all of `first`, 2 · `first`, 4 · `first` … up to `cap`. */
export function createBackoff({ first, cap }: { first: number; cap: number }): Backoff {
  let attempts = 0;
  return {
    next: () => Math.min(cap, first * 2 ** attempts++) * (0.5 + Math.random() / 2),
    reset: () => {
      attempts = 0;
    },
  };
}
