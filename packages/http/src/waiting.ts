import type { Request } from 'express';
import { currentContext, type Signals } from '@sluice/service';
import { etagOf, matches, type EtagFields } from './etag.ts';
import type { Answer } from './typed.ts';

export interface WaitingOptions {
  /** of changes of deployments, by their ids; they may be late or for nothing */
  changes: Signals;
  /** aborted once the service is about to stop: nothing is waited for any more */
  leaving: AbortSignal;
  /** requests that wait in this replica, and of these of one key or user */
  most?: number;
  mostPerCaller?: number;
}

/** the longest that a request waits, in seconds */
export const longestWait = 30;

interface Waiter {
  request: Request;
  /** of what the representation tells */
  deploymentId: number;
  fields: EtagFields | undefined;
  /** for how long the request may wait at most, in seconds */
  atMost: number;
  /** aborted when the client goes away */
  gone: AbortSignal;
  /** called before the request is held */
  held: () => void;
  /** the representation as it is now, for a caller who may still read it */
  read: () => Promise<Answer>;
}

/**
 * Holds requests with `Prefer: wait=N` (RFC 7240) until what they read has changed: from what `If-None-Match` says that the client has,
 * else from what it was at the request. Notifications of the database wake them; none asks the database meanwhile. One that finds no
 * place is answered at once, without `Preference-Applied`.
 */
export class Waiting {
  readonly #options: Required<WaitingOptions>;
  readonly #callers = new Map<string, number>();
  #waiting = 0;

  constructor(options: WaitingOptions) {
    this.#options = { most: 2_000, mostPerCaller: 50, ...options };
  }

  async answer({ request, deploymentId, fields, atMost, gone, held, read }: Waiter): Promise<Answer> {
    const seconds = Math.min(secondsOf(request.get('prefer')), atMost);
    const leave = seconds > 0 ? this.#enter(callerName()) : undefined;
    if (!leave) return await read();
    const { changes, leaving } = this.#options;
    const end = performance.now() + seconds * 1_000;
    const until = AbortSignal.any([gone, leaving]);
    let known = request.get('if-none-match');
    try {
      for (;;) {
        // before the reading, so that no change is missed between
        const watch = changes.watch(deploymentId);
        try {
          const answer = await read();
          if (answer.status !== 200) return answer;
          const etag = etagOf(answer.body, fields);
          const rest = end - performance.now();
          known ??= etag;
          if (!matches(known, etag) || rest <= 0 || until.aborted) return applied(answer, seconds);
          held();
          await watch.signalled(rest, until);
        } finally {
          watch.end();
        }
      }
    } finally {
      leave();
    }
  }

  /** Takes a place, if there is one. @returns what gives it back */
  #enter(caller: string): (() => void) | undefined {
    const { most, mostPerCaller } = this.#options;
    const own = this.#callers.get(caller) ?? 0;
    if (this.#waiting >= most || own >= mostPerCaller) return undefined;
    this.#waiting++;
    this.#callers.set(caller, own + 1);
    return () => {
      this.#waiting--;
      const left = (this.#callers.get(caller) ?? 1) - 1;
      if (left === 0) this.#callers.delete(caller);
      else this.#callers.set(caller, left);
    };
  }
}

function applied(answer: Answer, seconds: number): Answer {
  return { ...answer, headers: { ...answer.headers, 'preference-applied': `wait=${seconds}` } };
}

/** Of the preferences of a request, for how long it wants to wait; 0: not at all. */
function secondsOf(prefer: string | undefined): number {
  const [, seconds] = /(?:^|[,;])\s*wait\s*=\s*"?(\d{1,6})"?\s*(?:[,;]|$)/i.exec(prefer ?? '') ?? [];
  return Math.min(Number(seconds ?? 0), longestWait);
}

/** Whose request this is: the key, or the user of a session, in a tenant. */
export function callerName(): string {
  const { tenant, user, key } = currentContext()?.caller ?? {};
  return `${tenant} ${user} ${key}`;
}
