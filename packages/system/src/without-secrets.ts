import { redact } from './redact.ts';

const pem = /-----BEGIN ([A-Z ]*PRIVATE KEY)-----[\s\S]*?(-----END \1-----|$)/g;
/** seeds of NKeys, and the private part of a JSON Web Key */
const keys = /\bS[UANOCX][A-Z2-7]{56}\b|("d"\s*:\s*")[\w-]{20,}/g;
/** bcrypt hashes, also as nats-server's configuration has them */
const hashes = /(?:\$|\\x24)2[abxy](?:\$|\\x24)\d\d(?:\$|\\x24)[./A-Za-z0-9]{53}/g;
/** `password: "…"`, `token=…`, `Authorization: Bearer …`, in whichever notation */
const named =
  /((?:password|passwd|passphrase|secret|token|api[_-]?key|access[_-]?key|credentials?|authorization)["']?\s*[:=]\s*)("[^"\n]*"|'[^'\n]*'|(?:bearer |basic )?[^\s,;}\]]+)/gi;
/** a password within an address */
const inAddress = /(\w+:\/\/[^\s:/@]*):[^\s@/]+@/g;

/**
 * A text without secrets: what the node knows as such, and private keys and hashes of passwords, in any case; what only looks like one as well unless it is wanted
 * as it is. A reader of a snapshot need not have the right to read credentials.
 */
export function withoutSecrets(text: string, secrets: readonly string[], everything: boolean): string {
  // the longest first: one may be a part of another
  const known = [...new Set(secrets)].sort((one, other) => other.length - one.length);
  const hidden = known
    .reduce((soFar, secret) => soFar.replaceAll(secret, '***'), text.toWellFormed().replaceAll('\0', '�'))
    .replaceAll(pem, '-----$1: ***-----')
    .replaceAll(hashes, '***')
    .replaceAll(keys, (_, prefix?: string) => `${prefix ?? ''}***`);
  if (!everything) return hidden;
  return String(redact(hidden)).replaceAll(named, '$1***').replaceAll(inAddress, '$1:***@');
}
