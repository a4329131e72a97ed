import type { Log } from '@sluice/system/log';
import { Counter, Gauge, type Registry } from '@prometheus-io/client';
import { Jobs } from './jobs.ts';

/**
 * The periodic jobs of a service. `sluice_job_runs_total` and `sluice_job_last_success_timestamp_seconds` show how each does.
 */
export class Schedule extends Jobs {
  constructor({ log, metrics }: { log: Log; metrics: Registry }) {
    const runs = new Counter({
      name: 'sluice_job_runs_total',
      help: 'Runs of periodic jobs',
      labelNames: ['job', 'outcome'],
      registers: [metrics],
    });
    const succeeded = new Gauge({
      name: 'sluice_job_last_success_timestamp_seconds',
      help: 'When a periodic job last succeeded on this replica',
      labelNames: ['job'],
      registers: [metrics],
    });
    super(log, (job, outcome) => {
      runs.inc({ job, outcome });
      if (outcome === 'done') succeeded.set({ job }, Date.now() / 1_000);
    });
  }
}
