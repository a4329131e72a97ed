import { tokenHash } from '@sluice/contracts';
import { newSecret, terminalTokenOf, type Caller } from '@sluice/grants';
import { RateLimits } from '@sluice/http';
import { problem, system } from '@sluice/service';
import { networkOf } from '@sluice/system';
import type { Core } from '../../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import { findSessionByKey } from '@sluice/main-store/sessions.store';
import { lockRightsOf } from '@sluice/main-store/tenants.store';
import { getUser, lockUsers } from '@sluice/main-store/users.store';
import { prolongSession, sessionOf, storeSession } from '../sessions/sessions.service.ts';
import {
  countWaiting,
  decide,
  findByUserCode,
  insertDeviceSignIn,
  lockByDeviceCode,
  lockByUserCode,
  recordPoll,
  takeApproved,
  type DeviceSignInRow,
} from './device-sign-ins.store.ts';
import { newUserCode, shownCode, userCodeOf } from './user-codes.ts';

export type DeviceSignInService = ReturnType<typeof deviceSignInService>;
export type Decision = 'approve' | 'deny';

/** A person who looks for a terminal by its code. */
export interface Visitor {
  caller: Caller;
  /** where the request comes from */
  address: string | null;
}

const lifeSeconds = 10 * 60;
const pollSeconds = 5;
/** by how much the pause of a terminal that asks too early grows (RFC 8628, section 3.5) */
const slowerBySeconds = 5;
/** a poll may be that much early: clocks and networks differ */
const toleranceMilliseconds = 1_000;
/** terminals that wait for a decision at a time */
const most = { here: 20, everywhere: 10_000 };
/** wrong codes of one person, and of one network: ten, then one a minute; each replica counts for itself */
const wrongCodes = { perSecond: 1 / 60, burst: 10 };

type Refusal = 'authorization_pending' | 'slow_down' | 'expired_token' | 'access_denied';

/**
 * Signs terminals in by a code that a person approves in a browser (RFC 8628; decision 166). The session is opened by the approval, with the
 * approver's right; its token follows from the device code, which only the terminal has.
 */
export function deviceSignInService(core: Core) {
  const { database, work, now } = core;
  const guesses = new RateLimits(wrongCodes);

  return {
    /** @returns the codes. @throws Problem `rate_limited` when too many wait */
    async begin(caller: Caller, { address, machine }: { address: string | null; machine: string }) {
      const [deviceCode, userCode] = [newSecret(), newUserCode()];
      const created_at = now();
      const network = networkOf(address ?? undefined) ?? 'nowhere';
      await work(caller, async (tx) => {
        const waiting = await countWaiting(tx, network, created_at);
        if (waiting.here >= most.here || waiting.everywhere >= most.everywhere) throw tooMany();
        await insertDeviceSignIn(tx, {
          device_code_sha256: tokenHash(deviceCode),
          user_code_sha256: tokenHash(userCode),
          token_sha256: tokenHash(terminalTokenOf(deviceCode)),
          ...{ machine, address, network, status: 'pending', user_id: null },
          ...{ poll_seconds: pollSeconds, polled_at: null, created_at },
          expires_at: new Date(created_at.getTime() + lifeSeconds * 1_000),
        });
      });
      return { deviceCode, userCode: shownCode(userCode), expiresIn: lifeSeconds, interval: pollSeconds };
    },

    /** @throws Problem `not_found`, `rate_limited` after too many wrong codes */
    async find(visitor: Visitor, typed: string) {
      const row = await withoutGuessing(visitor, typed, async (code) => {
        const found = await findByUserCode(database, tokenHash(code));
        return found && isShownTo(found, visitor.caller) ? found : undefined;
      });
      return { row, userCode: shownCode(userCodeOf(typed) ?? typed), decision: decisionOn(row) };
    },

    /**
     * Decides about a terminal, once; the same decision again changes nothing. When this answers, the session of an approved terminal is
     * accepted by all APIs.
     * @throws Problem `session_required` for a terminal's own session; `state_conflict` when the person has decided otherwise
     */
    async decide(visitor: Visitor, typed: string, decision: Decision) {
      const { caller } = visitor;
      // one could else live for ever by approving others
      if (sessionOf(caller).isTerminal)
        throw problem('session_required', { detail: 'A terminal approves no other one: use a browser.' });
      return await withoutGuessing(visitor, typed, (code) =>
        work(caller, async (tx) => {
          const found = await lockByUserCode(tx, tokenHash(code));
          if (!found || !isShownTo(found, caller)) return undefined;
          const former = decisionOn(found);
          if (former !== null && former !== decision)
            throw problem('state_conflict', { detail: `The answer was ${former} already.` });
          if (former === null) {
            if (decision === 'approve') await openTerminalSession(tx, caller, found);
            const status = decision === 'approve' ? 'approved' : 'denied';
            await decide(tx, found, { status, user_id: caller.user.id });
          }
          return found;
        }),
      );
    },

    /**
     * Gives a terminal its token, once.
     * @throws Problem `authorization_pending`, `slow_down`, `expired_token`, `access_denied`
     */
    async poll(deviceCode: string) {
      const hash = tokenHash(deviceCode);
      const token = terminalTokenOf(deviceCode);
      const idleEnd = new Date(now().getTime() + core.sessionTimes.idleMilliseconds);
      const refusal = await work(system, async (tx): Promise<Refusal | undefined> => {
        const found = await lockByDeviceCode(tx, hash);
        if (!found || found.expires_at <= now() || found.status === 'taken') return 'expired_token';
        if (found.status === 'denied') return 'access_denied';
        if (found.status === 'pending') return await notYet(tx, found);
        const session = await findSessionByKey(tx, found.token_sha256);
        // ended by its user meanwhile
        if (!session) return 'access_denied';
        await prolongSession(tx, session.id, idleEnd);
        return undefined;
      });
      if (refusal) throw rfcProblem(refusal);
      // only once the grants are known to be in force: what fails before that can be asked for again
      if (!(await takeApproved(database, hash))) throw rfcProblem('expired_token');
      return { token, expiresIn: Math.floor(core.sessionTimes.idleMilliseconds / 1_000) };
    },
  };

  async function notYet(tx: Transaction, row: DeviceSignInRow): Promise<Refusal> {
    const polled_at = now();
    const since = row.polled_at ? polled_at.getTime() - row.polled_at.getTime() : Infinity;
    const isEarly = since < row.poll_seconds * 1_000 - toleranceMilliseconds;
    // no pause is longer than the code is valid
    const slower = Math.min(row.poll_seconds + slowerBySeconds, lifeSeconds);
    await recordPoll(tx, row, { polled_at, poll_seconds: isEarly ? slower : row.poll_seconds });
    return isEarly ? 'slow_down' : 'authorization_pending';
  }

  /** Its idle end is that of the code until the terminal has its token, so none is left over where it never asks. */
  async function openTerminalSession(tx: Transaction, caller: Caller, row: DeviceSignInRow): Promise<void> {
    const { machine, token_sha256, expires_at: idle_expires_at } = row;
    // in the order of publishSession: what ends sessions of the user at this time is seen here, or sees this one
    await lockRightsOf(tx, [caller.user.id]);
    await lockUsers(tx, [caller.user.id]);
    const own = await findSessionByKey(tx, sessionOf(caller).key);
    if (!own) throw problem('unauthenticated');
    const user = await getUser(tx, caller.user.id);
    await storeSession(tx, core, user, { source: own.source, token_sha256, machine, idle_expires_at });
  }

  /** What waits can be seen by everyone who has the code, what is decided by the person who has. */
  function isShownTo({ expires_at, user_id }: DeviceSignInRow, { user }: Caller): boolean {
    return expires_at > now() && (user_id === null || user_id === user.id);
  }

  /** Looks something up by a code; wrong ones count. @throws Problem `not_found`, `rate_limited` */
  async function withoutGuessing<Found>(
    { caller, address }: Visitor,
    typed: string,
    look: (code: string) => Promise<Found | undefined>,
  ): Promise<Found> {
    const names = [`user ${caller.user.id}`, `network ${networkOf(address ?? undefined) ?? 'nowhere'}`];
    for (const name of names) guesses.check(name);
    const code = userCodeOf(typed);
    const found = code === undefined ? undefined : await look(code);
    if (found !== undefined) return found;
    for (const name of names) guesses.note(name);
    throw problem('not_found', { detail: 'There is no such code, or its ten minutes are over.' });
  }
}

const decisions = { pending: null, approved: 'approve', taken: 'approve', denied: 'deny' } as const;
const decisionOn = ({ status }: DeviceSignInRow): Decision | null => decisions[status];

const tooMany = () =>
  problem('rate_limited', {
    detail: 'Too many terminals wait to be signed in. Approve those that wait, or try again later.',
    headers: { 'retry-after': '60' },
  });

/** With the code where clients of RFC 8628 look for it, too. */
function rfcProblem(code: Refusal) {
  return problem(code, { extensions: { error: code } });
}
