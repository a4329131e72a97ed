import { cookieNameAt, sessionCookie } from '@sluice/http';
import { stringifySetCookie } from 'cookie';
import { stepMilliseconds } from './sign-in.service.ts';

const signInCookie = 'sluice_sign_in';

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
  return {
    session: cookie(sessionCookie, longestMilliseconds),
    signIn: cookie(signInCookie, stepMilliseconds),
    /** The secret of the attempt, among the cookies that a browser has sent. */
    signInOf: (sent: Record<string, string | undefined>) => sent[cookieNameAt(signInCookie, publicUrl)],
  };
}
