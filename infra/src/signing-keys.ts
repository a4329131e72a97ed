import type { Sender } from '@sluice/contracts';
import { keptSigningKey, publicKeySet, type SecretsHome } from './secrets.ts';

/** The keys with which the services of a stack sign what they say. */
export interface SigningKeys {
  /** what a service needs to sign, and to know the others */
  environmentOf(sender: Sender): { SIGNING_KEYS: string; TRUSTED_KEYS: string };
}

/** The keys of a stack on this machine, made at its first start and kept. */
export async function keptSigningKeys(home: SecretsHome, senders: readonly Sender[]): Promise<SigningKeys> {
  const keys = new Map<Sender, string>();
  for (const sender of senders) keys.set(sender, await keptSigningKey(home, sender));
  const TRUSTED_KEYS = publicKeySet([...keys.values()]);
  return {
    environmentOf: (sender) => ({ SIGNING_KEYS: keys.get(sender) ?? '', TRUSTED_KEYS }),
  };
}
