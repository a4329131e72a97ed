import { newSecret, sessionOfToken, type Caller, type Session } from '@sluice/grants';
import type { ParamsOf } from '@sluice/http';
import { problem } from '@sluice/service';
import type { Core } from '../../../core.ts';
import type { Transaction } from '../../../database.ts';
import type { operations } from '../../../generated/api.ts';
import {
  deleteOtherSessions,
  deleteSession,
  deleteSessionByKey,
  insertSession,
  listSessions,
  type EndedSession,
} from '../../../stores/sessions.store.ts';
import type { UserRow } from '../../../stores/users.store.ts';
import { publishSession, withdrawSessions } from '../../access/grants/session-grants.ts';
import { recordInTenantsOf } from '../member-events.ts';

export type SessionsService = ReturnType<typeof sessionsService>;

export interface NewSession {
  session: Session;
  token: string;
}

/** The caller's session. @throws Problem `session_required` */
export function sessionOf({ session }: Caller): Session {
  if (!session) throw problem('session_required');
  return session;
}

/** Opens a session of a user whom the identity provider `source` has vouched for, and records that in their tenants. */
export async function openSession(
  tx: Transaction,
  { sessionTimes, now }: Pick<Core, 'sessionTimes' | 'now'>,
  user: UserRow,
  source: string,
): Promise<NewSession> {
  const token = newSecret();
  const session = sessionOfToken(token);
  const begun = now();
  const { id } = await insertSession(tx, {
    user_id: user.id,
    source,
    token_sha256: session.key,
    created_at: begun,
    last_used_at: begun,
    idle_expires_at: new Date(begun.getTime() + sessionTimes.idleMilliseconds),
    expires_at: new Date(begun.getTime() + sessionTimes.longestMilliseconds),
  });
  await publishSession(tx, id, user.id);
  await recordInTenantsOf(tx, user, 'member_signed_in', { source });
  return { session, token };
}

/** A user's sessions; one that is ended is refused everywhere by the time of the answer. */
export function sessionsService({ database, work, now }: Pick<Core, 'database' | 'work' | 'now'>) {
  return {
    list: ({ user }: Caller) => listSessions(database, user.id, now()),

    signOut: (caller: Caller) =>
      work(caller, async (tx) => end(tx, caller, await deleteSessionByKey(tx, sessionOf(caller).key))),

    delete: (caller: Caller, { session_id }: ParamsOf<operations['deleteSession']>) =>
      work(caller, async (tx) => {
        const ended = await deleteSession(tx, caller.user.id, session_id);
        if (ended.length === 0) throw problem('not_found');
        await end(tx, caller, ended);
      }),

    deleteOthers: (caller: Caller) =>
      work(caller, async (tx) =>
        end(tx, caller, await deleteOtherSessions(tx, caller.user.id, sessionOf(caller).key)),
      ),
  };
}

/** Takes the grants of deleted sessions of the caller's away, and records that in their tenants. */
async function end(tx: Transaction, { user }: Caller, ended: EndedSession[]): Promise<void> {
  await withdrawSessions(tx, ended);
  if (ended.length > 0) await recordInTenantsOf(tx, user, 'member_signed_out', { sessions: ended.length });
}
