import { hash, randomInt } from 'node:crypto';

/**
 * API key tokens (interface, section 5): `svc_`, 43 base62 characters of randomness (256 bits) and a
 * 6-character checksum over them, so that a scanner can tell a leaked token from a random string offline.
 */
const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const randomLength = 43;
const checksumLength = 6;
const shape = new RegExp(`^svc_[0-9A-Za-z]{${randomLength + checksumLength}}$`);

/** A new token. It is shown to its owner once and stored only as its SHA-256. */
export function newApiToken(): string {
  let body = '';
  for (let i = 0; i < randomLength; i++) body += alphabet[randomInt(alphabet.length)];
  return `svc_${body}${checksum(body)}`;
}

/** Whether `token` has the form and the checksum of an API key; says nothing of its validity. */
export function isApiToken(token: string): boolean {
  return shape.test(token) && token.slice(-checksumLength) === checksum(token.slice(4, -checksumLength));
}

function checksum(body: string): string {
  // the first 32 bits of SHA-256 fit into six base62 digits
  let rest = hash('sha256', body, 'buffer').readUInt32BE(0);
  let digits = '';
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[rest % alphabet.length] + digits;
    rest = Math.floor(rest / alphabet.length);
  }
  return digits;
}
