import { timingSafeEqual } from 'node:crypto';
import { parseCookie } from 'cookie';
import type { Request } from 'express';
import { isBrowserToken, isTerminalToken, sessionOfToken, type Session } from '@sluice/grants';
import { problem } from '@sluice/service';

/** The cookie that holds the token of a browser's session. */
export const sessionCookie = 'sluice_session';

/** The cookie that holds the secret of an attempt to sign in, from its beginning to the account. */
export const signInCookie = 'sluice_sign_in';

/** The header that holds the token of a terminal's session. Where it is sent, no cookie counts. */
export const sessionHeader = 'svc-session';

export function cookiesOf(request: Request): Record<string, string | undefined> {
  return parseCookie(request.get('cookie') ?? '');
}

/**
 * What a cookie is called where browsers reach the service at this address: by HTTPS under a name that they let no other
 * host of the domain set.
 */
export function cookieNameAt(name: string, publicUrl: string): string {
  return new URL(publicUrl).protocol === 'http:' ? name : `__Host-${name}`;
}

/**
 * The session that a request claims to belong to.
 * @param publicUrl where browsers reach the service; a service without it takes both names
 */
export function claimedSession(request: Request, publicUrl: string | undefined): Session | undefined {
  const header = request.get(sessionHeader);
  if (header !== undefined) return isTerminalToken(header) ? sessionOfToken(header) : undefined;
  const cookies = cookiesOf(request);
  const token =
    publicUrl === undefined
      ? (cookies[`__Host-${sessionCookie}`] ?? cookies[sessionCookie])
      : cookies[cookieNameAt(sessionCookie, publicUrl)];
  return token !== undefined && isBrowserToken(token) ? sessionOfToken(token) : undefined;
}

const reading = ['GET', 'HEAD'];

/**
 * Refuses a write that only the browser's cookie speaks for: another site can have it sent, but cannot know the token. The header of a
 * terminal's session is sent by no browser, and no other site may add it to a request.
 * @throws Problem `csrf_token_invalid`
 */
export function requireCsrfToken(request: Request, { csrfToken, isTerminal }: Session): void {
  if (isTerminal || reading.includes(request.method)) return;
  const sent = Buffer.from(request.get('x-csrf-token') ?? '');
  const expected = Buffer.from(csrfToken);
  if (sent.length !== expected.length || !timingSafeEqual(sent, expected))
    throw problem('csrf_token_invalid');
}
