import { setTimeout as sleep } from 'node:timers/promises';
import { createBackoff, reasonOf } from '@sluice/system';
import type { Log } from '@sluice/system/log';
import { SupervisorRefused } from './supervisor/client.ts';

/** The longest pause between two attempts, in milliseconds: while the supervisor is away, and while it refuses the agent. */
const awayLimit = 5_000;
const refusedLimit = 30_000;

/** Asks the supervisor again and again until it answers. */
export async function retryUntilAnswered<Answer>(
  what: string,
  log: Log,
  ask: () => Promise<Answer>,
): Promise<Answer> {
  const whenAway = createBackoff({ first: 100, cap: awayLimit });
  const whenRefused = createBackoff({ first: 100, cap: refusedLimit });
  let failing = '';
  for (;;) {
    try {
      const answer = await ask();
      if (failing !== '') log.info('the supervisor is back', { what });
      return answer;
    } catch (error) {
      const reason = reasonOf(error);
      // it is away for a while now and then; what it says no to is for a person, who may read errors alone, or what enrols this machine
      const level = error instanceof SupervisorRefused && error.status < 500 ? 'error' : 'warn';
      if (reason !== failing) log[level]('no answer from the supervisor', { what, reason });
      failing = reason;
      const refused = error instanceof SupervisorRefused && (error.status === 401 || error.status === 403);
      await sleep(refused ? whenRefused.next() : whenAway.next());
    }
  }
}
