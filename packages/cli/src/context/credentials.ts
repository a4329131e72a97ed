import type { Credentials } from '@sluice/client';

/** Whether a token is that of a terminal's session, which `sluice login` got in a browser. */
export const isSession = (token: string): boolean => token.startsWith('svt_');

/** How a token is sent: as an API key, or as a session. */
export const credentialsOf = (token: string): Pick<Credentials, 'apiKey' | 'session'> =>
  isSession(token) ? { session: token } : { apiKey: token };
