import { setTimeout as pauseFor } from 'node:timers/promises';
import type { Log } from '@sluice/system/log';
import { Counter, Gauge, type Registry } from '@prometheus-io/client';

export interface Job {
  /** label of the metrics and of log lines, unique in the service */
  name: string;
  /** seconds from the end of a run to the next one; a function where that differs */
  every: number | (() => number);
  /** One run. An error is logged, and the next run is the next attempt. The signal is aborted when the service stops. */
  run: (signal: AbortSignal) => unknown;
}

export interface ScheduledJob {
  /** Runs it now, or once more after the run that is under way. */
  wake: () => void;
}

/**
 * The periodic jobs of a service. Runs of one job do not overlap; a job that hangs or fails holds up no other. `sluice_job_runs_total` and
 * `sluice_job_last_success_timestamp_seconds` show how each does.
 */
export class Schedule {
  readonly #log: Log;
  readonly #runs: Counter<'job' | 'outcome'>;
  readonly #succeeded: Gauge<'job'>;
  readonly #stopping = new AbortController();
  readonly #jobs = new Map<string, Promise<void>>();

  constructor({ log, metrics }: { log: Log; metrics: Registry }) {
    this.#log = log;
    this.#runs = new Counter({
      name: 'sluice_job_runs_total',
      help: 'Runs of periodic jobs',
      labelNames: ['job', 'outcome'],
      registers: [metrics],
    });
    this.#succeeded = new Gauge({
      name: 'sluice_job_last_success_timestamp_seconds',
      help: 'When a periodic job last succeeded on this replica',
      labelNames: ['job'],
      registers: [metrics],
    });
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
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      const wake = nextWake();
      await this.#run(job);
      const seconds = typeof job.every === 'number' ? job.every : job.every();
      const either = AbortSignal.any([wake, signal]);
      await pauseFor(seconds * 1_000, undefined, { signal: either }).catch(() => undefined);
    }
  }

  async #run({ name, run }: Job): Promise<void> {
    const { signal } = this.#stopping;
    try {
      await run(signal);
      this.#runs.inc({ job: name, outcome: 'done' });
      this.#succeeded.set({ job: name }, Date.now() / 1_000);
    } catch (error) {
      if (signal.aborted) return;
      this.#runs.inc({ job: name, outcome: 'failed' });
      this.#log.warn('a periodic job failed; it will run again', { job: name, error });
    }
  }
}
