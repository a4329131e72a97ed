import { randomInt } from 'node:crypto';

/** consonants without Y: no words, and nothing that looks like another (RFC 8628, section 6.1) */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;

/** A new code that a person can type, such as `WDJBMJHT`: 34 bits. */
export const newUserCode = (): string =>
  Array.from({ length }, () => letters[randomInt(letters.length)]).join('');

/** The code as it is kept, of what a person has typed; undefined for what is none. */
export function userCodeOf(typed: string): string | undefined {
  const code = typed.toUpperCase().replaceAll(/[\s-]/g, '');
  return new RegExp(`^[${letters}]{${length}}$`).test(code) ? code : undefined;
}

/** `WDJB-MJHT`, as it is shown. */
export const shownCode = (code: string): string => `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
