import { cookieNameAt, sessionCookie, signInCookie } from '@sluice/http';
import { parseSetCookie, stringifySetCookie } from 'cookie';
import type { Layer } from '../../layers.ts';

/** the console's own cookies, by the cookie of the Main API that each stands for */
const own = { [sessionCookie]: 'sluice', [signInCookie]: 'sluice_attempt' };
type LayerCookie = keyof typeof own;

const returnCookie = 'sluice_return';
const returnSeconds = 600;

/** the cookies of a browser, as a request has sent them */
type Sent = Record<string, string | undefined>;

const sessionShape = /^[\w-]{43}$/;
/** what a browser's attempt to sign in holds: a secret, and perhaps the code of a terminal */
const attemptShape = /^[\w-]{43}(\.[\w-]{0,40})?$/;

export type ConsoleCookies = ReturnType<typeof consoleCookies>;

/**
 * The cookies of the console. They hold what the Main API has given, under names of the console's own origin: none of the
 * layers' own cookies ever comes to a browser, and no cookie of a browser goes to a layer as it is.
 * @param origin where browsers reach the console: by HTTPS the names are such that no other host of the domain can set them
 */
export function consoleCookies(origin: URL) {
  const nameOf = (name: string) => cookieNameAt(name, origin.href);
  const written = (name: string, value: string, maxAge: number) =>
    stringifySetCookie({
      name: nameOf(name),
      value,
      path: '/',
      maxAge,
      httpOnly: true,
      sameSite: 'lax',
      secure: origin.protocol === 'https:',
    });
  const valueOf = (sent: Sent, name: LayerCookie, shape: RegExp) => {
    const value = sent[nameOf(own[name])];
    return value !== undefined && shape.test(value) ? value : undefined;
  };

  return {
    /** The token of the session that a browser has sent; undefined without one. */
    sessionOf: (sent: Sent) => valueOf(sent, sessionCookie, sessionShape),

    /** The `Cookie` header for a layer, under both names that it may know; undefined without anything to say. */
    forLayer(sent: Sent, layer: Layer): string | undefined {
      const values: Sent = {
        [sessionCookie]: valueOf(sent, sessionCookie, sessionShape),
        // people sign in at the Main API alone
        [signInCookie]: layer === 'main-api' ? valueOf(sent, signInCookie, attemptShape) : undefined,
      };
      const named = Object.entries(values).flatMap(([name, value]) =>
        value === undefined ? [] : [`${name}=${value}`, `__Host-${name}=${value}`],
      );
      return named.length > 0 ? named.join('; ') : undefined;
    },

    /** What the Main API has a browser keep, as cookies of the console; others go no further. */
    fromMainApi(headers: readonly string[]): string[] {
      return headers.flatMap((header) => {
        const { name, value = '', maxAge = 0 } = parseSetCookie(header);
        const known = Object.entries(own).find(([layerName]) => name.replace(/^__Host-/, '') === layerName);
        return known ? [written(known[1], value, maxAge)] : [];
      });
    },

    /** Keeps where a person wants to be after the sign-in; null forgets it. */
    returnTo: (path: string | null) =>
      path === null ? written(returnCookie, '', 0) : written(returnCookie, path, returnSeconds),
    returnPathOf: (sent: Sent) => sent[nameOf(returnCookie)],
  };
}
