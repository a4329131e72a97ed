import { setTimeout as sleep } from 'node:timers/promises';
import { ConfigRefused, TryLater } from '@sluice/connectors';
import { callWithin } from '@sluice/controller/calls';
import { createBackoff, reasonOf } from '@sluice/system';
import { Waiting } from '../runtimes/broker-client.ts';
import type { PartState, Run } from './instance-run.ts';

const longestPause = 300_000;
const longestReason = 500;
/** failures in a row from which on the status is Error: one may be an accident */
const failuresToError = 3;

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

  begun(): void {
    if (this.#failures === 0) this.#report('Running', null);
  }

  succeeded(): void {
    this.#failures = 0;
    this.#backoff.reset();
    this.#report('Running', null);
  }

  /** Reports what went wrong, and waits for the next attempt, or the end. @throws ConfigRefused when there is none */
  async failed(error: unknown): Promise<void> {
    const { signal, metrics, context } = this.#run;
    if (signal.aborted) return;
    if (error instanceof ConfigRefused) throw error;
    const reason = bounded(reasonOf(error));
    if (error instanceof Waiting) {
      this.#report('Starting', `waits: ${reason}`);
    } else {
      metrics.errors++;
      this.#failures++;
      context.log('warn', 'an attempt failed', { part: this.#part, failures: this.#failures, reason });
      this.#report(this.#failures >= failuresToError ? 'Error' : 'Starting', reason);
    }
    const asked = error instanceof TryLater ? Math.min(Math.max(error.pauseMs, 0), longestPause) : 0;
    await pause(Math.max(asked, this.#backoff.next()), signal);
  }

  #report(status: PartState['status'], reason: string | null): void {
    this.#run.report(this.#part, { status, reason });
  }
}

const bounded = (reason: string) =>
  reason.length > longestReason ? `${reason.slice(0, longestReason - 1)}…` : reason;
export { bounded as boundedReason };

export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  await sleep(milliseconds, undefined, { signal }).catch(() => undefined);
}

/** @throws CallLate after this time; its signal ends the work, which is not waited for */
export const limited = <T>(
  work: (signal: AbortSignal) => Promise<T>,
  milliseconds: number,
  signal: AbortSignal,
): Promise<T> =>
  callWithin(
    { seconds: milliseconds / 1_000, signal, late: `it did not end within ${milliseconds / 1_000} s` },
    work,
  );
