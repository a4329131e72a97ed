import type { Job, Schedule } from '@sluice/controller';

/** Schedules the periodic jobs of the notifier. Deliveries are a work queue (`features/delivery/deliverer.ts`). */
export function scheduleJobs(schedule: Schedule, jobs: readonly (Job | undefined)[]): void {
  for (const job of jobs) if (job) schedule.add(job);
}
