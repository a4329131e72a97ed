import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigRefused, TryLater } from '@sluice/connectors';
import { createBackoff, reasonOf } from '@sluice/system';
import type { PartState, Run } from './instance-run.ts';
import { Waiting } from './waiting.ts';

/** the longest pause that a destination can ask for, in milliseconds */
const longestPause = 300_000;
const longestReason = 500;
/** so many attempts in a row have failed before it counts as an error: one may be an accident */
const failuresToError = 3;

/** What has to be done until it works: in growing pauses, each with some chance in it. */
export class Attempts {
  readonly #run: Run;
  readonly #part: string;
  readonly #backoff: ReturnType<typeof createBackoff>;
  #failures = 0;

  constructor(run: Run, part: string) {
    this.#run = run;
    this.#part = part;
    this.#backoff = createBackoff(run.limits.pause);
  }

  /** All that it needs is there. */
  begun(): void {
    if (this.#failures === 0) this.#tell('Running', null);
  }

  /** It works. */
  succeeded(): void {
    this.#failures = 0;
    this.#backoff.reset();
    this.#tell('Running', null);
  }

  /** Tells what went wrong, and waits for the next attempt, or the end. @throws ConfigRefused when there is none */
  async failed(error: unknown): Promise<void> {
    const { signal, metrics, context } = this.#run;
    if (signal.aborted) return;
    if (error instanceof ConfigRefused) throw error;
    const reason = bounded(reasonOf(error));
    if (error instanceof Waiting) {
      this.#tell('Starting', `waits: ${reason}`);
    } else {
      metrics.errors++;
      this.#failures++;
      context.log('warn', 'an attempt failed', { part: this.#part, failures: this.#failures, reason });
      this.#tell(this.#failures >= failuresToError ? 'Error' : 'Starting', reason);
    }
    const asked = error instanceof TryLater ? Math.min(Math.max(error.pauseMs, 0), longestPause) : 0;
    await pause(Math.max(asked, this.#backoff.next()), signal);
  }

  #tell(status: PartState['status'], reason: string | null): void {
    this.#run.tell(this.#part, { status, reason });
  }
}

const bounded = (reason: string) =>
  reason.length > longestReason ? `${reason.slice(0, longestReason - 1)}…` : reason;
export { bounded as boundedReason };

/** Ends early when `signal` is aborted. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

/**
 * What `work` comes to, for so many milliseconds at most: then it is told to end by its signal and no longer waited for, whatever it does.
 * @throws Error at the limit, and when `stopping` is aborted
 */
export async function limited<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  milliseconds: number,
  stopping: AbortSignal,
): Promise<Result> {
  const late = new AbortController();
  const { promise: never, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.abort(new TookTooLong(milliseconds)), milliseconds);
  const signal = AbortSignal.any([late.signal, stopping]);
  const stop = () => reject(signal.reason instanceof Error ? signal.reason : new Error('stopped'));
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop);
  try {
    const working = work(signal);
    // what it does after that is nobody's business any more
    working.catch(() => undefined);
    return await Promise.race([working, never]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
    never.catch(() => undefined);
  }
}

/** The attempt has taken too long: whatever it is at, it is not waited for. */
export class TookTooLong extends Error {
  constructor(milliseconds: number) {
    super(`it did not end within ${milliseconds / 1_000} s`);
  }
}
