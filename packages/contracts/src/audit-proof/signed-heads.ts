import { createPublicKey, verify, type JsonWebKey, type KeyObject } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { headContext, headText, type PublishedHead } from '../audit-text.ts';
import type { KnownHeads } from './known-heads.ts';

/** Public keys of the audit service by their names; a key without one is taken as the caller names it. */
export interface HeadKeys {
  named: ReadonlyMap<string, KeyObject>;
  unnamed?: KeyObject;
}

/** whose word a head is */
const signer = 'audit:';

/** The keys in a file: PEM, a JSON Web Key, or a set of these such as `TRUSTED_KEYS`. @throws Error for what has none */
export function headKeysOf(text: string): HeadKeys {
  if (text.includes('-----BEGIN')) {
    if (text.includes('PRIVATE KEY')) throw new Error('This is a private key: give the public one.');
    return { named: new Map(), unnamed: ed25519(createPublicKey(text)) };
  }
  const { keys, ...single } = JSON.parse(text) as { keys?: JsonWebKey[] } & JsonWebKey;
  const named = new Map<string, KeyObject>();
  let unnamed: KeyObject | undefined;
  for (const jwk of keys ?? [single]) {
    if (jwk.d !== undefined) throw new Error('There is a private key in it: give the public ones.');
    const name = jwk['kid'];
    // the word of another service says nothing about a log
    if (typeof name === 'string' && !name.startsWith(signer)) continue;
    const key = ed25519(createPublicKey({ key: jwk, format: 'jwk' }));
    if (typeof name === 'string') named.set(name, key);
    else if (keys === undefined) unnamed = key;
  }
  if (named.size === 0 && !unnamed) throw new Error('There is no key of the audit service in it.');
  return { named, ...(unnamed && { unnamed }) };
}

function ed25519(key: KeyObject): KeyObject {
  if (key.asymmetricKeyType === 'ed25519') return key;
  throw new Error(`Heads are signed with Ed25519, and this is a key of ${key.asymmetricKeyType}.`);
}

/**
 * Whose key a head is signed with: a detached JWS (RFC 7515, RFC 7797) of the audit service. Here and not by a library, so that
 * a verifier needs nothing but Node.
 */
function signedBy({ signature, ...head }: PublishedHead, keys: HeadKeys): string | undefined {
  const [encoded = '', middle, bytes = '', ...rest] = signature.split('.');
  if (middle !== '' || rest.length > 0) return undefined;
  const header = jsonOf(Buffer.from(encoded, 'base64url').toString()) as Record<string, unknown> | undefined;
  const { alg, kid, b64, crit } = header ?? {};
  const isOurs = alg === 'EdDSA' && b64 === false && JSON.stringify(crit) === '["b64"]';
  if (!isOurs || typeof kid !== 'string' || !kid.startsWith(signer)) return undefined;
  const key = keys.named.get(kid) ?? keys.unnamed;
  const said = Buffer.from(`${encoded}.${headContext}\n${headText(head)}`);
  return key && verify(null, said, key, Buffer.from(bytes, 'base64url')) ? kid : undefined;
}

/** The heads of files, one a line. With keys, those that are signed with one of them. @throws Error where there is none at all */
export async function knownHeads(files: readonly string[], keys?: HeadKeys): Promise<KnownHeads> {
  const known: KnownHeads = { heads: [], unreadable: [], refused: [] };
  for (const file of files) {
    const lines = (await readFile(file, 'utf8')).split('\n');
    for (const [index, line] of lines.entries())
      if (line.trim() !== '') take(known, line, `${file}, line ${index + 1}`, keys);
  }
  if (files.length > 0 && known.heads.length === 0 && known.refused.length === 0)
    throw new Error(`There is no head of a log in ${files.join(', ')}.`);
  return known;
}

function take({ heads, unreadable, refused }: KnownHeads, line: string, at: string, keys?: HeadKeys): void {
  const head = jsonOf(line) as Partial<PublishedHead> | null | undefined;
  const { tenant_id, seq, hash, at: when, recorded_at, signature } = head ?? {};
  if (typeof tenant_id !== 'number' || typeof seq !== 'number' || typeof hash !== 'string') {
    unreadable.push(at);
    return;
  }
  const known = { tenant_id, seq, hash };
  if (!keys) {
    heads.push(known);
    return;
  }
  const isSigned =
    typeof when === 'string' && typeof recorded_at === 'string' && typeof signature === 'string';
  const by = isSigned ? signedBy({ ...known, at: when, recorded_at, signature }, keys) : undefined;
  if (isSigned && by !== undefined) heads.push({ ...known, signed: { by, at: when } });
  else refused.push(at);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
