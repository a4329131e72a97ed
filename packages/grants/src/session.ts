import { createHmac, randomBytes } from 'node:crypto';
import { tokenHash } from '@sluice/contracts';

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
    key: tokenHash(token),
    csrfToken: createHmac('sha256', token).update('sluice csrf').digest('base64url'),
  };
}
