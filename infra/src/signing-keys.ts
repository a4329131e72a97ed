import type { Sender } from '@sluice/contracts';
import { readIfPresent } from '@sluice/system';
import { keptSigningKey, publicKeySet, type SecretsHome } from './secrets.ts';

/** The keys with which the services of a stack sign what they say. */
export interface SigningKeys {
  /** what a service needs to sign, and to know the others */
  environmentOf(sender: Sender): { SIGNING_KEYS: string; TRUSTED_KEYS: string };
}

/**
 * The keys of a stack on this machine, made at its first start and kept. During a rotation the key sets in
 * `secrets/<sender>.signing.next.json` and `….former.json` are trusted as well, and nothing is signed with them.
 */
export async function keptSigningKeys(home: SecretsHome, senders: readonly Sender[]): Promise<SigningKeys> {
  const keys = new Map<Sender, string>();
  const besides: string[] = [];
  for (const sender of senders) {
    keys.set(sender, await keptSigningKey(home, sender));
    for (const which of ['next', 'former'])
      besides.push(
        (await readIfPresent(home.path('secrets', `${sender.replaceAll('/', '-')}.signing.${which}.json`))) ??
          '',
      );
  }
  const TRUSTED_KEYS = publicKeySet([...keys.values(), ...besides.filter((set) => set !== '')]);
  return {
    environmentOf: (sender) => ({ SIGNING_KEYS: keys.get(sender) ?? '', TRUSTED_KEYS }),
  };
}
