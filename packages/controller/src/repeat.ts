import { setTimeout as pauseFor } from 'node:timers/promises';

export interface Repetition {
  /** seconds from the end of a run to the next one; a function where that differs */
  every: number | (() => number);
  /** One run. The signal is aborted when the repetition stops. */
  run: (signal: AbortSignal) => unknown;
  /** Takes the error of a run; errors of a run that was stopped are dropped. The next run is the next attempt. */
  failed: (error: unknown) => void;
}

export interface Repeating {
  /** resolves when the first run has ended, also when it has failed */
  first: Promise<void>;
  /** Runs it now, or once more after the run that is under way. */
  wake: () => void;
  /** Starts no further run, and waits for the one that is under way. */
  stop: () => Promise<void>;
}

/** Runs something now and from then on. Runs do not overlap. */
export function repeat({ every, run, failed }: Repetition): Repeating {
  const stopping = new AbortController();
  const { signal } = stopping;
  let woken = new AbortController();
  async function once(): Promise<void> {
    woken = new AbortController();
    try {
      await run(signal);
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
  }
  async function again(): Promise<void> {
    while (!signal.aborted) {
      const seconds = typeof every === 'number' ? every : every();
      const either = AbortSignal.any([woken.signal, signal]);
      await pauseFor(seconds * 1_000, undefined, { signal: either }).catch(() => undefined);
      if (!signal.aborted) await once();
    }
  }
  const first = once();
  const running = first.then(again);
  return {
    first,
    wake: () => woken.abort(),
    async stop() {
      stopping.abort();
      await running;
    },
  };
}
