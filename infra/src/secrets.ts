import { keySet, newSigningKey, publicKeyOf, type SigningKey } from '@sluice/embedded';
import { readIfPresent, writePrivateFile } from '@sluice/system';
import type { Home } from './home.ts';

/** Keeps secrets in its folder `secrets`. */
export type SecretsHome = Pick<Home, 'path'>;

/** The secret of this name, made by `make` at the first time and kept from then on in a file that only its owner reads. */
export async function keptSecret(home: SecretsHome, name: string, make: () => string): Promise<string> {
  const file = home.path('secrets', name);
  const kept = (await readIfPresent(file))?.trim() ?? '';
  if (kept !== '') return kept;
  const made = make();
  await writePrivateFile(file, `${made}\n`);
  return made;
}

interface KeySet {
  keys: SigningKey[];
}

/** What `signer` signs with: a JSON Web Key Set of one private Ed25519 key, made at the first time. */
export async function keptSigningKey(home: SecretsHome, signer: string): Promise<string> {
  const make = () => keySet([newSigningKey(signer)]);
  return await keptSecret(home, `${signer.replaceAll('/', '-')}.signing.json`, make);
}

/** What everybody may know of these keys. */
export function publicKeySet(signingKeys: readonly string[]): string {
  return keySet(signingKeys.flatMap(keysIn).map(publicKeyOf));
}

function keysIn(set: string): SigningKey[] {
  try {
    return (JSON.parse(set) as KeySet).keys;
  } catch {
    // the error of JSON.parse shows what it has read
    throw new Error('a file of signing keys is not a JSON Web Key Set');
  }
}
