import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { grantKey } from '@sluice/contracts';
import { parseCookie } from 'cookie';
import type { Request } from 'express';
import { problem } from '../problem.ts';

/** The cookie that holds a session's token. */
export const sessionCookie = 'sluice_session';

/** A session as its token makes it known; the token itself goes no further. */
export interface Session {
  /** the key of its grant: the SHA-256 of the token */
  key: string;
  /** what writes have to send as `x-csrf-token` */
  csrfToken: string;
}

/** A new secret of 256 bits, such as a session's token. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What can be known of a session from its token alone. */
export function sessionOfToken(token: string): Session {
  return {
    key: grantKey(token),
    csrfToken: createHmac('sha256', token).update('sluice csrf').digest('base64url'),
  };
}

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
