import { generateKeyPairSync, randomBytes, type JsonWebKey } from 'node:crypto';
import { createUser, fromSeed } from '@nats-io/nkeys';

export function newNatsSeed(): string {
  return new TextDecoder().decode(createUser().getSeed());
}

/** The public NKey of a seed, as nats-server's configuration names a user. */
export function natsPublicKey(seed: string): string {
  return fromSeed(new TextEncoder().encode(seed)).getPublicKey();
}

/** A JSON Web Key with the name of its signer and of itself in `kid`. */
export type SigningKey = JsonWebKey & { kid: string };

/** A new private Ed25519 key with which a service signs what it says. */
export function newSigningKey(sender: string): SigningKey {
  const { privateKey } = generateKeyPairSync('ed25519');
  return { ...privateKey.export({ format: 'jwk' }), kid: `${sender}:${randomBytes(4).toString('hex')}` };
}

/** What of a signing key everybody may know. */
export function publicKeyOf({ d: _, ...rest }: SigningKey): SigningKey {
  return rest;
}

/** A JSON Web Key Set, as settings hold it. */
export function keySet(keys: readonly SigningKey[]): string {
  return JSON.stringify({ keys });
}
