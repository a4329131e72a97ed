import { createHash, randomBytes } from 'node:crypto';

/** How long a token can be used for an enrolment. */
export const tokenSeconds = 60 * 60;

/** A one-time token of 256 random bits. It is stored as its hash only. */
export function newToken(): string {
  return randomBytes(32).toString('base64url');
}

export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}

/** Tells a token from others, and does not help to guess it. */
export const tokenMark = (token: string) => markOfHash(tokenHash(token));
export const markOfHash = (hash: string) => hash.slice(0, 16);
