import { createHmac, randomBytes } from 'node:crypto';
import { tokenHash } from '@sluice/contracts';

/** A session as its token makes it known; the token itself goes no further. */
export interface Session {
  /** the key of its grant: the SHA-256 of the token */
  key: string;
  /** what writes have to send as `x-csrf-token`, unless it is a terminal's */
  csrfToken: string;
  /** of a terminal, whose token comes in the header `svc-session`: no browser sends that by itself */
  isTerminal: boolean;
}

/** what tokens of terminals begin with: no cookie is taken for one, nor the other way round */
const terminalPrefix = 'svt_';

export const isBrowserToken = (token: string): boolean => /^[\w-]{43}$/.test(token);
export const isTerminalToken = (token: string): boolean => /^svt_[\w-]{43}$/.test(token);

/** A new secret of 256 bits, such as a session's token. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What can be known of a session from its token alone. */
export function sessionOfToken(token: string): Session {
  return {
    key: tokenHash(token),
    csrfToken: createHmac('sha256', token).update('sluice csrf').digest('base64url'),
    isTerminal: isTerminalToken(token),
  };
}

/** The token of the session that a terminal gets for its device code, without which it cannot be made. */
export function terminalTokenOf(deviceCode: string): string {
  return terminalPrefix + createHmac('sha256', deviceCode).update('sluice terminal').digest('base64url');
}
