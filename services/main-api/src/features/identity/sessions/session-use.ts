import type { Job } from '@sluice/controller';
import type { SessionId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { Authorizer } from '@sluice/http';
import { system, type Log } from '@sluice/service';
import type { Core } from '../../../core.ts';
import { recordSessionUse } from '@sluice/main-store/sessions.store';
import { prolongSession } from './sessions.service.ts';

/**
 * Keeps used sessions alive. Their idle end stands in the grants, so it moves only when half of the time is gone: no request waits for it.
 */
export function sessionUse({
  database,
  work,
  now,
  sessionTimes,
}: Pick<Core, 'database' | 'work' | 'now' | 'sessionTimes'>) {
  let uses = new Map<string, Date>();
  const { idleMilliseconds } = sessionTimes;

  const renew = (id: SessionId) =>
    work(system, (tx) => prolongSession(tx, id, new Date(now().getTime() + idleMilliseconds)));
  async function record(): Promise<void> {
    if (uses.size === 0) return;
    const recorded = uses;
    uses = new Map();
    const half = new Date(now().getTime() + idleMilliseconds / 2);
    for (const id of await recordSessionUse(database, recorded, half)) await renew(id);
  }
  const job: Job = { name: 'session_use', every: 5, run: record };
  return {
    job,
    through:
      (authorize: Authorizer<Caller>): Authorizer<Caller> =>
      async (request, declaration) => {
        const caller = await authorize(request, declaration);
        if (caller.session) uses.set(caller.session.key, now());
        return caller;
      },
    /** Records what the last run has left. */
    stop: (log: Log) =>
      record().catch((error: unknown) => {
        log.warn('the last use of sessions was not stored', { error });
      }),
  };
}
