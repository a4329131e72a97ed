import { sluice } from './client.ts';
import { keyOf } from './keys.ts';
import { read } from './query-client.ts';

/** An identity provider that people can sign in with. */
export interface SignInSource {
  source: string;
  name: string;
}

export const signInSourcesQuery = read(keyOf('main', null, 'sign_in_sources'), (signal) =>
  sluice.get<{ 200: SignInSource[] }, unknown, true>({ url: '/main-api/account/auth/sources', signal }),
);

/**
 * Where the server begins a sign-in, which sends the browser to the provider.
 * @param returnTo the path of this origin to come back to
 */
export function signInAddress(source: string, returnTo: string): string {
  return `/sign-in/start?${new URLSearchParams({ source, return_to: safePath(returnTo) })}`;
}

/** A path of this origin, and the first page for anything else. */
export function safePath(path: string | undefined): string {
  if (!path?.startsWith('/') || !URL.canParse(path, 'http://console.invalid')) return '/';
  const url = new URL(path, 'http://console.invalid');
  return url.origin === 'http://console.invalid' ? `${url.pathname}${url.search}${url.hash}` : '/';
}
