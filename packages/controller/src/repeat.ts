import { Jobs, type Job, type ScheduledJob } from './jobs.ts';

/** Work that is not a job of the service's schedule, such as what belongs to one consumer. */
export interface Repetition extends Pick<Job, 'every' | 'run'> {
  /** Takes the error of a run; errors of a run that was stopped are dropped. */
  failed: (error: unknown) => void;
}

export interface Repeating extends ScheduledJob {
  /** resolves when the first run has ended, also when it has failed */
  first: Promise<void>;
  /** Starts no further run, and waits for the one that is under way. */
  stop: () => Promise<void>;
}

/** Runs something now and from then on. Runs do not overlap. */
export function repeat({ every, run, failed }: Repetition): Repeating {
  const first = Promise.withResolvers<void>();
  const jobs = new Jobs();
  const { wake } = jobs.add({
    name: 'repetition',
    every,
    failed,
    run: async (signal) => {
      try {
        await run(signal);
      } finally {
        first.resolve();
      }
    },
  });
  return { first: first.promise, wake, stop: () => jobs.stop() };
}
