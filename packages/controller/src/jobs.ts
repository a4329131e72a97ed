import { setTimeout as pauseFor } from 'node:timers/promises';
import { createBackoff, type BackoffOptions } from '@sluice/system';
import type { Log } from '@sluice/system/log';

export interface Job {
  /** label of the metrics and of log lines, unique in the service */
  name: string;
  /** seconds from the end of a run to the next one; a function where that differs */
  every: number | (() => number);
  /** pauses after failed runs, in milliseconds, which a wake-up does not cut short; `every` without it */
  retry?: BackoffOptions;
  /** Called with the error of a run in place of a line in the log. @returns the least pause before the next run, in milliseconds */
  failed?: (error: unknown) => number | void;
  /** One run. An error is logged, and the next run is the next attempt. The signal is aborted when the service stops. */
  run: (signal: AbortSignal) => unknown;
}

export interface ScheduledJob {
  /** Runs it now, or once more after the run that is under way. */
  wake: () => void;
}

export type JobOutcome = 'done' | 'failed';

/** the longest pause of a timer, in milliseconds */
const longestPause = 2 ** 31 - 1;

/** Periodic jobs. Runs of one job do not overlap; a job that hangs or fails holds up no other. Without a log each job takes its own errors. */
export class Jobs {
  readonly #log: Log | undefined;
  readonly #observe: (job: string, outcome: JobOutcome) => void;
  readonly #stopping = new AbortController();
  readonly #jobs = new Map<string, Promise<void>>();

  constructor(log?: Log, observe: (job: string, outcome: JobOutcome) => void = () => undefined) {
    this.#log = log;
    this.#observe = observe;
  }

  /** Runs the job now and from now on. @throws Error for a name that is taken */
  add(job: Job): ScheduledJob {
    if (this.#jobs.has(job.name)) throw new Error(`there is a job ${job.name} already`);
    let woken = new AbortController();
    this.#jobs.set(
      job.name,
      this.#repeat(job, () => (woken = new AbortController()).signal),
    );
    return { wake: () => woken.abort() };
  }

  /** Starts no further run, and waits for those that are under way. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.all(this.#jobs.values());
  }

  async #repeat(job: Job, nextWake: () => AbortSignal): Promise<void> {
    const { every, retry } = job;
    const { signal } = this.#stopping;
    const backoff = retry && createBackoff(retry);
    while (!signal.aborted) {
      const wake = nextWake();
      const least = await this.#run(job);
      if (least === undefined) backoff?.reset();
      const retryPause = least === undefined ? undefined : backoff && Math.max(least, backoff.next());
      const pause = retryPause ?? 1_000 * (typeof every === 'number' ? every : every());
      const ends = retryPause === undefined ? AbortSignal.any([wake, signal]) : signal;
      await pauseFor(Math.min(pause, longestPause), undefined, { signal: ends }).catch(() => undefined);
    }
  }

  /** @returns the least pause after a failure, undefined after a success */
  async #run({ name, run, failed }: Job): Promise<number | undefined> {
    const { signal } = this.#stopping;
    try {
      await run(signal);
      this.#observe(name, 'done');
      return undefined;
    } catch (error) {
      if (signal.aborted) return 0;
      this.#observe(name, 'failed');
      if (failed) return failed(error) ?? 0;
      this.#log?.warn('a periodic job failed; it will run again', { job: name, error });
      return 0;
    }
  }
}
