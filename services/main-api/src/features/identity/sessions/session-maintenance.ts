import type { SessionId } from '@sluice/contracts';
import type { Caller } from '@sluice/grants';
import type { Authorizer } from '@sluice/http';
import { system, type Log } from '@sluice/service';
import type { Core } from '../../../core.ts';
import { lockSessions, recordSessionUse, postponeIdleEnd } from '../../../stores/sessions.store.ts';
import { publishSession } from '../../access/grants/session-grants.ts';

const recordMilliseconds = 5_000;

/**
 * Keeps sessions alive that are used. The idle end stands in the grants, so it is
 * moved only when half of the time is gone: a request never waits for it.
 */
export function maintainSessions(
  { database, work, now, sessionTimes }: Pick<Core, 'database' | 'work' | 'now' | 'sessionTimes'>,
  log: Log,
): {
  through(authorize: Authorizer<Caller>): Authorizer<Caller>;
  /** Stores what has been used until now. */
  record(): Promise<void>;
  stop(): Promise<void>;
} {
  let uses = new Map<string, Date>();
  const { idleMilliseconds } = sessionTimes;

  const renew = (id: SessionId) =>
    work(system, async (tx) => {
      const [session] = await lockSessions(tx, [id]);
      if (!session) return;
      await postponeIdleEnd(tx, id, new Date(now().getTime() + idleMilliseconds));
      await publishSession(tx, id, session.user_id);
    });
  const record = async () => {
    if (uses.size === 0) return;
    const recorded = uses;
    uses = new Map();
    const half = new Date(now().getTime() + idleMilliseconds / 2);
    for (const id of await recordSessionUse(database, recorded, half)) await renew(id);
  };
  const timer = setInterval(() => {
    record().catch((error: unknown) => log.warn('the use of sessions was not stored', { error }));
  }, recordMilliseconds);
  return {
    through: (authorize) => async (request, declaration) => {
      const caller = await authorize(request, declaration);
      if (caller.session) uses.set(caller.session.key, now());
      return caller;
    },
    record,
    async stop() {
      clearInterval(timer);
      await record().catch((error: unknown) =>
        log.warn('the last use of sessions was not stored', { error }),
      );
    },
  };
}
