/** How a service works on what is due, repeats what is periodic, and calls what may not answer. */
export { abortable, callFenced, callWithin, CallLate, type FencedCall } from './call-within.ts';
export type { Candidate } from './lanes.ts';
export { LeaseLost, type Lease } from './lease.ts';
export { Poll } from './poll.ts';
export { Jobs, type Job, type ScheduledJob } from './jobs.ts';
export { repeat, type Repeating } from './repeat.ts';
export { retry, waitUntil } from './retry.ts';
export { Schedule } from './schedule.ts';
export { SlowPlacesTaken, Stopping, WorkQueue } from './work-queue.ts';
