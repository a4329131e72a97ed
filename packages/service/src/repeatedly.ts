import { setTimeout as pauseFor } from 'node:timers/promises';

export interface Repetition {
  /** from the end of a run to the next one; a function where that differs each time */
  everySeconds: number | (() => number);
  /** What is done each time; its signal is aborted when no more is wanted. */
  run: (signal: AbortSignal) => unknown;
  /** Is told what a run has rejected or thrown, but for those that are ended. */
  failed: (error: unknown) => void;
}

/**
 * Does something now and again from then on, one time after the other. What fails is tried again at the next time.
 * @returns ends it, and waits for the run that is under way
 */
export function repeatedly({ everySeconds, run, failed }: Repetition): () => Promise<void> {
  const ended = new AbortController();
  const { signal } = ended;
  const seconds = typeof everySeconds === 'number' ? () => everySeconds : everySeconds;

  async function once(): Promise<void> {
    try {
      await run(signal);
    } catch (error) {
      if (!signal.aborted) failed(error);
    }
  }

  async function again(): Promise<void> {
    while (!signal.aborted) {
      await once();
      await pauseFor(seconds() * 1_000, undefined, { signal }).catch(() => undefined);
    }
  }

  const running = again();
  return async () => {
    ended.abort();
    await running;
  };
}
