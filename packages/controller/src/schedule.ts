import type { Log } from '@sluice/system/log';
import { Counter, Gauge, type Registry } from 'prom-client';
import { repeat, type Repeating, type Repetition } from './repeat.ts';

/** A periodic job. An error of a run is logged. */
export interface Job extends Pick<Repetition, 'every' | 'run'> {
  /** label of the metrics and of log lines, unique in the service */
  name: string;
}

export type ScheduledJob = Pick<Repeating, 'wake'>;

/**
 * The periodic jobs of a service. Runs of one job do not overlap; a job that hangs or fails holds up no other. `sluice_job_runs_total` and
 * `sluice_job_last_success_timestamp_seconds` show how each does.
 */
export class Schedule {
  readonly #log: Log;
  readonly #runs: Counter<'job' | 'outcome'>;
  readonly #succeeded: Gauge<'job'>;
  readonly #jobs = new Map<string, Repeating>();

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
  add({ name, every, run }: Job): ScheduledJob {
    if (this.#jobs.has(name)) throw new Error(`there is a job ${name} already`);
    const job = repeat({
      every,
      run: async (signal) => {
        await run(signal);
        this.#runs.inc({ job: name, outcome: 'done' });
        this.#succeeded.set({ job: name }, Date.now() / 1_000);
      },
      failed: (error) => {
        this.#runs.inc({ job: name, outcome: 'failed' });
        this.#log.warn('a periodic job failed; it will run again', { job: name, error });
      },
    });
    this.#jobs.set(name, job);
    return job;
  }

  /** Starts no further run, and waits for those that are under way. */
  async stop(): Promise<void> {
    await Promise.all([...this.#jobs.values()].map((job) => job.stop()));
  }
}
