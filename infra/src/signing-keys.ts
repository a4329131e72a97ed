import type { Sender } from '@sluice/contracts';
import { keySet, newSigningKey, publicKeyOf, type SigningKey } from '@sluice/embedded';
import { z } from 'zod';
import type { Home } from './home.ts';
import { keptSecret } from './secrets.ts';

/** The keys with which the services of a stack sign what they say. */
export interface SigningKeys {
  /** what a service needs to sign, and to know the others */
  environmentOf(sender: Sender): { SIGNING_KEYS: string; TRUSTED_KEYS: string; SIGNED_SINCE: string };
}

const storedSchema = z.object({ keys: z.array(z.looseObject({ kid: z.string() })) });

/** The keys of a stack on this machine, made at the first start that knows of them, and kept with that instant. */
export async function keptSigningKeys(home: Home, senders: readonly Sender[]): Promise<SigningKeys> {
  const SIGNED_SINCE = await keptSecret(home, 'signed-since', () => new Date().toISOString());
  const keys = new Map<Sender, string>();
  for (const sender of senders) {
    const name = `signing-${sender.replaceAll('/', '-')}.jwks`;
    keys.set(sender, await keptSecret(home, name, () => keySet([newSigningKey(sender)])));
  }
  const all = [...keys.values()].flatMap((text): SigningKey[] => storedSchema.parse(JSON.parse(text)).keys);
  const TRUSTED_KEYS = keySet(all.map(publicKeyOf));
  return {
    environmentOf: (sender) => ({ SIGNING_KEYS: keys.get(sender) ?? '', TRUSTED_KEYS, SIGNED_SINCE }),
  };
}
