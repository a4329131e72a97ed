import type { OwnLogins } from '../runtime.ts';

/** Logins of the node's own programs: NKeys, which no change of the customer's touches. The library is heavy, and most nodes have no connector. */
export const natsLogins: OwnLogins = {
  create: async () => {
    const { createUser } = await import('@nats-io/nkeys');
    const pair = createUser();
    return { secret: new TextDecoder().decode(pair.getSeed()), publicKey: pair.getPublicKey() };
  },
  restore: async (secret) => {
    const { fromSeed } = await import('@nats-io/nkeys');
    return { secret, publicKey: fromSeed(new TextEncoder().encode(secret)).getPublicKey() };
  },
};
