import type { SessionId } from '@sluice/contracts';
import { newSecret, sessionOfToken, type Caller, type Session } from '@sluice/grants';
import type { ParamsOf } from '@sluice/http';
import { problem } from '@sluice/service';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import type { operations } from '../../../generated/api.ts';
import {
  deleteOtherSessions,
  deleteSession,
  deleteSessionByKey,
  insertSession,
  listSessions,
  lockSessions,
  postponeIdleEnd,
  type EndedSession,
  type SessionRow,
} from '@sluice/main-store/sessions.store';
import { lockUsers, type UserRow } from '@sluice/main-store/users.store';
import { publishSession, withdrawSessions } from '@sluice/grant-publication/session-grants';
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
  const idle_expires_at = new Date(now().getTime() + sessionTimes.idleMilliseconds);
  const row = { source, token_sha256: session.key, machine: null, idle_expires_at };
  await storeSession(tx, { sessionTimes, now }, user, row);
  return { session, token };
}

type SessionInput = Pick<SessionRow, 'source' | 'token_sha256' | 'machine' | 'idle_expires_at'>;

/** Stores a session of a user, publishes what it may do, and records it in the user's tenants. */
export async function storeSession(
  tx: Transaction,
  { sessionTimes, now }: Pick<Core, 'sessionTimes' | 'now'>,
  user: UserRow,
  input: SessionInput,
): Promise<void> {
  const begun = now();
  const expires_at = new Date(begun.getTime() + sessionTimes.longestMilliseconds);
  const times = { created_at: begun, last_used_at: begun, expires_at };
  const { id } = await insertSession(tx, { user_id: user.id, ...input, ...times });
  await publishSession(tx, id, user.id);
  const { source, machine } = input;
  await recordInTenantsOf(tx, user, 'member_signed_in', { source, ...(machine !== null && { machine }) });
}

/** Moves the idle end of a session, which may be gone. */
export async function prolongSession(tx: Transaction, id: SessionId, until: Date): Promise<void> {
  const [session] = await lockSessions(tx, [id]);
  if (!session) return;
  await postponeIdleEnd(tx, id, until);
  await publishSession(tx, id, session.user_id);
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
      work(caller, async (tx) => {
        const { id } = caller.user;
        // waits for one that is being opened, such as a terminal's by one of these
        await lockUsers(tx, [id]);
        await end(tx, caller, await deleteOtherSessions(tx, id, sessionOf(caller).key));
      }),
  };
}

/** Takes the grants of deleted sessions of the caller's away, and records that in their tenants. */
async function end(tx: Transaction, { user }: Caller, ended: EndedSession[]): Promise<void> {
  await withdrawSessions(tx, ended);
  if (ended.length > 0) await recordInTenantsOf(tx, user, 'member_signed_out', { sessions: ended.length });
}
