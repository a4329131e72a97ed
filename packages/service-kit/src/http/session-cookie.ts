import { timingSafeEqual } from 'node:crypto';
import { parseCookie } from 'cookie';
import type { Request } from 'express';
import { sessionOfToken, type Session } from '../grants/session.ts';
import { problem } from '../problem.ts';

/** The cookie that holds a session's token. */
export const sessionCookie = 'sluice_session';

export function cookiesOf(request: Request): Record<string, string | undefined> {
  return parseCookie(request.get('cookie') ?? '');
}

/** The session that a request claims to belong to. */
export function claimedSession(request: Request): Session | undefined {
  const token = cookiesOf(request)[sessionCookie];
  return token !== undefined && /^[\w-]{43}$/.test(token) ? sessionOfToken(token) : undefined;
}

const reading = ['GET', 'HEAD'];

/**
 * Refuses a write that only the browser's cookie speaks for: another site can have it sent, but cannot know the token.
 * @throws Problem `csrf_token_invalid`
 */
export function requireCsrfToken(request: Request, { csrfToken }: Session): void {
  if (reading.includes(request.method)) return;
  const sent = Buffer.from(request.get('x-csrf-token') ?? '');
  const expected = Buffer.from(csrfToken);
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected))
    throw problem('csrf_token_invalid');
}
