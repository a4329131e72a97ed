import { generateKeyPairSync } from 'node:crypto';
import { signer, signingKeysSchema, type Sign } from '@sluice/contracts';

const signers = [
  'main-api',
  'audit',
  // which 1.0.0 requires, and does not use
  'notifier',
  'supervisor/cloud_a/us-east-1',
  'supervisor/cloud_b/us-central1',
  'supervisor/cloud_c/us-east-1',
];

/** Makes a key for each: what each signs with, by its name, and what everybody trusts. */
export function makeSigningKeys(names: readonly string[] = signers) {
  const keys = names.map((name) => {
    const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    return { name, secret: { ...jwk, kid: `${name}:test` } };
  });
  const set = (entries: object[]) => JSON.stringify({ keys: entries });
  return {
    /** SIGNING_KEYS of each signer */
    signing: new Map(keys.map(({ name, secret }) => [name, set([secret])])),
    /** TRUSTED_KEYS of everybody */
    trusted: set(keys.map(({ secret: { d: _, ...shown } }) => shown)),
  };
}

/** The keys of everybody in the tests of this file. */
export const testKeys = makeSigningKeys();

/** The word of one of them. */
export function signAs(name: string): Sign {
  return signer(signingKeysSchema.parse(testKeys.signing.get(name)));
}
