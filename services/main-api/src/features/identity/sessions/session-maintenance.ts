import { system, type Authorizer, type Log, type Caller } from '@sluice/service-kit';
import type { Core } from '../../../core.ts';
import { forgetSignIns } from '../../../stores/sign-ins.store.ts';
import { publishSession, withdrawSessions } from '../../access/grants/session-grants.ts';
import { deleteEndedSessions, lockSession, noteSessionUse, postponeIdleEnd } from '../../../stores/sessions.store.ts';

const noteMilliseconds = 5_000;
const tidyMilliseconds = 10 * 60 * 1000;

/**
 * Keeps sessions alive that are used, and forgets those that are over. The idle end stands in the grants, so it is
 * moved only when half of the time is gone: a request never waits for it.
 */
export function keepSessions(
  { database, work, now, sessionTimes }: Pick<Core, 'database' | 'work' | 'now' | 'sessionTimes'>,
  log: Log,
): {
  through(authorize: Authorizer<Caller>): Authorizer<Caller>;
  /** Stores what has been used until now. */
  note(): Promise<void>;
  stop(): Promise<void>;
} {
  let uses = new Map<string, Date>();
  const { idleMilliseconds } = sessionTimes;

  const renew = (id: number) =>
    work(system, async (tx) => {
      const session = await lockSession(tx, id);
      if (!session) return;
      await postponeIdleEnd(tx, id, new Date(now().getTime() + idleMilliseconds));
      await publishSession(tx, id, session.user_id);
    });
  const note = async () => {
    if (uses.size === 0) return;
    const noted = uses;
    uses = new Map();
    const half = new Date(now().getTime() + idleMilliseconds / 2);
    for (const id of await noteSessionUse(database, noted, half)) await renew(id);
  };
  const tidy = async () => {
    await forgetSignIns(database, now());
    await work(system, async (tx) => withdrawSessions(tx, await deleteEndedSessions(tx, now())));
  };
  const every = (milliseconds: number, task: () => Promise<void>) =>
    setInterval(() => {
      task().catch((error: unknown) => log.warn('the upkeep of sessions failed', { error }));
    }, milliseconds);
  const timers = [every(noteMilliseconds, note), every(tidyMilliseconds, tidy)];
  return {
    through: (authorize) => async (request, declaration) => {
      const caller = await authorize(request, declaration);
      if (caller.session) uses.set(caller.session.key, now());
      return caller;
    },
    note,
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await note().catch((error: unknown) => log.warn('the last use of sessions was not stored', { error }));
    },
  };
}
