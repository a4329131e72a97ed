import { createBackoff, reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import { SupervisorRefused } from './client.ts';

/** Pauses while the supervisor is away, and while it refuses the agent. Milliseconds. */
export const awayPause = { first: 100, cap: 5_000 };
const refusedPause = { first: 100, cap: 30_000 };

export interface SupervisorAnswers {
  /** Notes that it answers again. */
  of: <T>(ask: () => Promise<T>) => Promise<T>;
  /** Logs a failure once per reason. @returns the least pause before the next attempt, in milliseconds */
  failed: (error: unknown) => number;
}

export function supervisorAnswers(what: string, log: Log): SupervisorAnswers {
  const whenRefused = createBackoff(refusedPause);
  let failing = '';
  return {
    of: async (ask) => {
      const answer = await ask();
      if (failing !== '') log.info('the supervisor is back', { what });
      failing = '';
      whenRefused.reset();
      return answer;
    },
    failed: (error) => {
      const reason = reasonOf(error);
      const status = error instanceof SupervisorRefused ? error.status : 0;
      // that it is away is usual; a refusal is for a person, who may read errors alone, or for what enrols this machine
      const level = status > 0 && status < 500 ? 'error' : 'warn';
      if (reason !== failing) log[level]('no answer from the supervisor', { what, reason });
      failing = reason;
      return status === 401 || status === 403 ? whenRefused.next() : 0;
    },
  };
}
