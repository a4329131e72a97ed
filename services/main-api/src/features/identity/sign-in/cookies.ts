import { cookieNameAt, sessionCookie, signInCookie } from '@sluice/http';
import { stringifySetCookie } from 'cookie';
import { stepMilliseconds } from './sign-in.service.ts';

type Sent = Record<string, string | undefined>;

/** `Set-Cookie` headers; null clears the cookie. */
export type Cookies = ReturnType<typeof cookiesFor>;

/**
 * @param publicUrl where clients reach the API: unless that is plain HTTP, the cookies travel by HTTPS only, and browsers
 *   keep other hosts of the domain from setting them
 * @param longestMilliseconds how long a session lasts at most
 */
export function cookiesFor(publicUrl: string, longestMilliseconds: number) {
  const secure = new URL(publicUrl).protocol !== 'http:';
  const cookie = (name: string, milliseconds: number) => (value: string | null) =>
    stringifySetCookie({
      name: cookieNameAt(name, publicUrl),
      value: value ?? '',
      path: '/',
      maxAge: value === null ? 0 : Math.floor(milliseconds / 1000),
      httpOnly: true,
      sameSite: 'lax',
      secure,
    });
  const attempt = cookie(signInCookie, stepMilliseconds);
  const attemptOf = (sent: Sent) => sent[cookieNameAt(signInCookie, publicUrl)]?.split('.');
  return {
    session: cookie(sessionCookie, longestMilliseconds),
    /** @param userCode of a sign-in on the page for terminals, to which it leads back: the code that was given, or an empty text */
    signIn: (secret: string | null, userCode?: string) =>
      attempt(secret !== null && userCode !== undefined ? `${secret}.${userCode}` : secret),
    /** The secret of the attempt, among the cookies that a browser has sent. */
    signInOf: (sent: Sent) => attemptOf(sent)?.[0],
    /** The code with which a sign-in on the page for terminals was begun; undefined for any other. */
    userCodeOf: (sent: Sent) => attemptOf(sent)?.[1],
  };
}
