import type { Sender } from '@sluice/contracts';
import { readIfPresent } from '@sluice/system';
import { keptSigningKey, publicKeySet, type SecretsHome } from './secrets.ts';

/** The keys with which the services of a stack sign messages. */
export interface SigningKeys {
  /** what a service needs to sign, and to verify the signatures of others */
  environmentOf(sender: Sender): { SIGNING_KEYS?: string; TRUSTED_KEYS: string };
}

/** The notifier sends no message that is signed. */
export const hasSigningKeys = (sender: Sender) => sender !== 'notifier';

/**
 * The keys of a stack on this machine, made at its first start and kept. During a rotation the key sets in
 * `secrets/<sender>.signing.next.json` and `….former.json` are trusted as well, and nothing is signed with them.
 * @param upgrading whether replicas of 1.0.0 run beside: its notifier does not start without keys
 */
export async function keptSigningKeys(
  home: SecretsHome,
  senders: readonly Sender[],
  upgrading = false,
): Promise<SigningKeys> {
  const keys = new Map<Sender, string>();
  const besides: string[] = [];
  for (const sender of senders.filter((each) => upgrading || hasSigningKeys(each))) {
    keys.set(sender, await keptSigningKey(home, sender));
    for (const which of ['next', 'former'])
      besides.push(
        (await readIfPresent(home.path('secrets', `${sender.replaceAll('/', '-')}.signing.${which}.json`))) ??
          '',
      );
  }
  const TRUSTED_KEYS = publicKeySet([...keys.values(), ...besides.filter((set) => set !== '')]);
  return {
    environmentOf(sender) {
      const SIGNING_KEYS = keys.get(sender);
      return { ...(SIGNING_KEYS !== undefined && { SIGNING_KEYS }), TRUSTED_KEYS };
    },
  };
}
