import { createPublicKey, verify, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import type { JWK } from 'jose';
import { FlattenedSign } from 'jose/jws/flattened/sign';
import { flattenedVerify } from 'jose/jws/flattened/verify';
import { importJWK } from 'jose/key/import';
import { z } from 'zod';

/** Who signs: `main-api`, or a region's supervisor as `supervisor/<cloud>/<region>`. */
export type SignerName = string;

const publicKeySchema = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  x: z.string(),
  // the signer's name, and which of its keys it is
  kid: z.string().regex(/^[^:]+:[\w-]{1,40}$/, 'has to be <signer>:<key>'),
});
const keySet = <Key extends z.ZodType>(key: Key) =>
  z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue({ code: 'custom', message: 'has to be a JSON Web Key Set' });
        return z.NEVER;
      }
    })
    .pipe(z.object({ keys: z.array(key).min(1).max(1_000) }))
    .transform(({ keys }) => keys);

/** A JSON Web Key Set (RFC 7517) of private Ed25519 keys: the first signs, so that a new one is put in front. */
export const signingKeysSchema = keySet(publicKeySchema.extend({ d: z.string() }));
/** A JSON Web Key Set of the public keys of everybody whose word is taken. */
export const trustedKeysSchema = keySet(publicKeySchema);
export type SigningKeys = z.infer<typeof signingKeysSchema>;
export type TrustedKeys = z.infer<typeof trustedKeysSchema>;

/**
 * Signs what travels over NATS: a detached JWS (RFC 7515, appendix F; RFC 7797) with Ed25519.
 * @param context where the word is said, such as its subject: the signature holds nowhere else
 */
export type Sign = (context: string, payload: string) => Promise<string>;

/** The signer. @throws Error with the reason, without secrets, when no trusted key has signed */
export type Verify = (
  signature: string,
  context: string,
  payload: string | Uint8Array,
) => Promise<SignerName>;

export function signer([newest]: SigningKeys): Sign {
  if (!newest) throw new Error('There is no key to sign with');
  const key = importJWK(newest as JWK, 'EdDSA');
  const header = { alg: 'EdDSA', kid: newest.kid, b64: false, crit: ['b64'] };
  return async (context, payload) => {
    const { protected: head, signature } = await new FlattenedSign(signed(context, payload))
      .setProtectedHeader(header)
      .sign(await key);
    return `${head}..${signature}`;
  };
}

/** No trusted key has the name of the key that a signature names. */
export class UnknownKeyError extends Error {
  override readonly name = 'UnknownKeyError';
}

/** a signer has one header for each of its keys */
const mostHeaders = 1_000;

/**
 * What a header (RFC 7515, 4) says is checked once: many messages have the same few headers. What is left of each
 * is the Ed25519 of its own bytes, away from the event loop.
 */
export function verifier(trusted: TrustedKeys): Verify {
  const keys = new Map(trusted.map((key) => [key.kid, createPublicKey({ key, format: 'jwk' })]));
  /** those under which a signature has held */
  const headers = new Map<string, { signer: SignerName; key: KeyObject }>();
  return async (detached, context, payload) => {
    const [head = '', middle, signature = '', ...rest] = detached.split('.');
    if (middle !== '' || rest.length > 0) throw new Error('is not a detached signature');
    const text = signed(context, payload);
    const known = headers.get(head);
    if (known) {
      if (await holds(known.key, signature, head, text)) return known.signer;
      throw new Error('signature verification failed');
    }
    let found: { signer: SignerName; key: KeyObject } | undefined;
    await flattenedVerify(
      { protected: head, signature, payload: text },
      async ({ kid = '' }) => {
        const key = keys.get(kid);
        if (!key) throw new UnknownKeyError('is signed with a key that is not trusted');
        found = { signer: kid.slice(0, kid.indexOf(':')), key };
        return key;
      },
      { algorithms: ['EdDSA'] },
    );
    if (!found) throw new Error('is signed with no key');
    if (headers.size < mostHeaders) headers.set(head, found);
    return found.signer;
  };
}

const verifyElsewhere = promisify<null, Uint8Array, KeyObject, Uint8Array, boolean>(verify);
/** 64 bytes in base64url */
const signatureForm = /^[\w-]{86}$/;

/** Whether a signature of an unencoded payload (RFC 7797) is its key's. */
async function holds(key: KeyObject, signature: string, head: string, payload: Uint8Array): Promise<boolean> {
  if (!signatureForm.test(signature)) return false;
  const input = Buffer.concat([Buffer.from(`${head}.`), payload]);
  return await verifyElsewhere(null, input, key, Buffer.from(signature, 'base64url'));
}

const signed = (context: string, payload: string | Uint8Array): Uint8Array =>
  Buffer.concat([Buffer.from(`${context}\n`), Buffer.from(payload)]);

/** A signed text: the signature, a space, and the text. */
export const signedPayload = (signature: string, text: string) => `${signature} ${text}`;

/** @returns the signature and the text of a signed text; empty where there is none */
export function partsOfSigned(word: string): { signature: string; text: string } {
  const end = word.indexOf(' ');
  return { signature: word.slice(0, Math.max(end, 0)), text: word.slice(end + 1) };
}
