import { join } from 'node:path';
import type { Log } from '@sluice/system/log';
import type { Sealing } from '../sealing.ts';

/** What the connectors runtime logs in to the node's broker by: an NKey of the node's own, which no change of the customer's touches. */
export interface ConnectorsLogin {
  seed: string;
  /** as the broker knows it */
  publicKey: string;
}

/** The login of a node; made when it is first asked for, and the same from then on while its sealing key is there. */
export async function connectorsLogin(home: string, sealing: Sealing, log: Log): Promise<ConnectorsLogin> {
  const path = join(home, 'connectors-login');
  // heavy, and most nodes have no connector
  const { createUser, fromSeed } = await import('@nats-io/nkeys');
  const kept = await sealing.readFile(path).catch(() => {
    log.error('the login of the connectors is damaged or of another sealing key, making a new one', { path });
    return null;
  });
  if (kept !== null)
    return { seed: kept, publicKey: fromSeed(new TextEncoder().encode(kept)).getPublicKey() };
  const pair = createUser();
  const seed = new TextDecoder().decode(pair.getSeed());
  await sealing.writeFile(path, seed);
  return { seed, publicKey: pair.getPublicKey() };
}
