import { apiPath } from '../browser/origin-guard.ts';

const longest = 2_000;
/** of which nothing can be shown after a sign-in */
const isSignIn = (path: string) => /^\/sign-in(\/|$)/i.test(path);

/**
 * A path of the console that a person may be sent to after the sign-in; `/` for anything else, above all for what a browser would take
 * for the address of another host.
 * @param text as an address or a cookie has it
 */
export function returnPath(text: string | undefined, origin: URL): string {
  if (text === undefined || text.length > longest || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text))
    return '/';
  const url = URL.parse(text, origin.href);
  if (url?.origin !== origin.origin) return '/';
  // a path of dots alone can begin with two slashes once they are gone
  const { pathname, search, hash } = url;
  if (pathname.startsWith('//') || pathname.toLowerCase().startsWith(apiPath) || isSignIn(pathname))
    return '/';
  return pathname + search + hash;
}
