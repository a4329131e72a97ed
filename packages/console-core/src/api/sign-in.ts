import { getDeviceSignIn, listIdentities, listSignInSources } from '@sluice/client';
import { sluice as client } from './client.ts';
import { keyOf } from './keys.ts';
import { read } from './query-client.ts';

export const signInSourcesQuery = read(keyOf('main', null, 'sign_in_sources'), (signal) =>
  listSignInSources({ client, signal }),
);

/** The identity providers that the person signs in with. */
export const identitiesQuery = read(keyOf('main', null, 'identities'), (signal) =>
  listIdentities({ client, signal }),
);

/** The terminal that shows a code. It is not read again by itself: wrong codes are counted. */
export const terminalQuery = (user_code: string) => ({
  ...read(keyOf('main', null, 'terminal', user_code), (signal) =>
    getDeviceSignIn({ client, path: { user_code }, signal }),
  ),
  refetchInterval: false as const,
  refetchOnWindowFocus: false,
});

/** Where invitations in mails lead to. */
export const invitationsPath = '/account/invitations';

/**
 * Where the server begins a sign-in, which sends the browser to the provider.
 * @param returnTo the path of this origin to come back to
 */
export function signInAddress(source: string, returnTo: string): string {
  return `/sign-in?${new URLSearchParams({ source, return_to: safePath(returnTo) })}`;
}

/** A path of this origin, and the first page for anything else. */
export function safePath(path: string | undefined): string {
  if (!path?.startsWith('/') || !URL.canParse(path, 'http://console.invalid')) return '/';
  const url = new URL(path, 'http://console.invalid');
  return url.origin === 'http://console.invalid' ? `${url.pathname}${url.search}${url.hash}` : '/';
}

const failures: Readonly<Record<string, string>> = {
  sign_in_failed: 'The identity provider did not confirm who you are, or it took more than ten minutes.',
  unauthenticated: 'The sign-in took too long, or was begun in another browser.',
  account_exists: 'Another account has your address. Sign in the way you did before, then link this one.',
  email_not_verified: 'The identity provider has not verified your address.',
  rate_limited: 'There were too many sign-ins from here. Wait a minute.',
  unavailable: 'Sluice cannot be reached right now.',
  unauthorized: 'You may not sign in here.',
};

/**
 * Why a sign-in has not worked, in a sentence.
 * @param code of the problem that the server was given
 */
export const signInFailure = (code: string): string =>
  failures[code] ?? `The sign-in did not work (${code}).`;

/** Whether the person is on the way to an organization that exists, so that none is to be founded. */
export const isInvited = (returnTo: string): boolean => returnTo.startsWith(invitationsPath);
