import type { ScheduledJob } from '@sluice/controller/jobs';

/** Wakes the job of a part that is created before its job. The first run of a job covers wake-ups from before. */
export class Due {
  #job: ScheduledJob | undefined;

  readonly wake = (): void => this.#job?.wake();

  connect(job: ScheduledJob): void {
    this.#job = job;
  }
}
