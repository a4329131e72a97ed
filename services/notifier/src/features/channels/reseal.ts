import type { ChannelId } from '@sluice/contracts';
import type { Database } from '../../database/tables.ts';
import { sealedAfter, resealChannel } from './channels.store.ts';
import type { ChannelVault } from './channel-vault.ts';

const batch = 500;

/**
 * Encrypts the secrets of all channels under the newest key, so that the older ones can go. What is changed meanwhile
 * is under the newest already, where the notifiers have it; it can be run again at any time.
 * @returns how many it has encrypted anew
 */
export async function resealChannels(database: Database, vault: ChannelVault): Promise<number> {
  let resealed = 0;
  let after: ChannelId | 0 = 0;
  for (;;) {
    const channels = await sealedAfter(database, after, batch);
    for (const channel of channels) {
      const anew = await vault.reseal(channel.sealed);
      if (anew === null) continue;
      await resealChannel(database, channel, anew);
      resealed++;
    }
    const last = channels.at(-1);
    if (!last) return resealed;
    after = last.id;
  }
}
