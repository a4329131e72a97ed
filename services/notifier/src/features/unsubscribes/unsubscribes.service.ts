import type { NotifierRequests } from '@sluice/contracts';
import type { Asked } from '@sluice/messaging';
import { problem } from '@sluice/service';
import type { Database, Work } from '../../database/tables.ts';
import type { ChannelVault } from '../channels/channel-vault.ts';
import { findChannel, findChannelsTo, type ChannelRow } from '../channels/channels.store.ts';
import type { UnsubscribeLinks } from './unsubscribe-links.ts';
import {
  deleteUnsubscribe,
  findUnsubscribe,
  insertUnsubscribe,
  type Recipient,
} from './unsubscribes.store.ts';

type Of<Name extends keyof NotifierRequests> = Asked<NotifierRequests, Name>;

export interface UnsubscribesDependencies {
  database: Database;
  work: Work;
  vault: ChannelVault;
  links: UnsubscribeLinks;
}
export type UnsubscribesService = ReturnType<typeof unsubscribesService>;

/** How an address ends the mails of a tenant's channels, by a link that only its mails have (interface, 6.2). */
export function unsubscribesService({ database, work, vault, links }: UnsubscribesDependencies) {
  /** @throws Problem `link_invalid` also where the channel is gone, or has another destination by now */
  async function open(db: Database, token: string): Promise<[ChannelRow, Recipient]> {
    const id = links.channelOf(token);
    const channel = id && (await findChannel(db, id));
    if (channel?.channel !== 'email' || channel.address_hash === null) throw problem('link_invalid');
    const { destination } = await vault.open(channel.sealed);
    if (!links.holds(token, channel.id, destination)) throw problem('link_invalid');
    return [channel, { tenant_id: channel.tenant_id, address_hash: channel.address_hash }];
  }

  return {
    /** @throws Problem `link_invalid` */
    async find({ token }: Of<'find_unsubscribe'>) {
      const [{ tenant_id, division_id }, recipient] = await open(database, token);
      const unsubscribed = (await findUnsubscribe(database, recipient)) !== undefined;
      return { tenant_id, division_id, unsubscribed };
    },

    /** Unsubscribes the address of a link, or undoes that; a second time it changes nothing. @throws Problem `link_invalid` */
    async set({ token, unsubscribed, tenant_id, division, cause }: Of<'set_unsubscribe'>, until: Date) {
      return await work({ cause, tenantId: tenant_id }, async (tx) => {
        const [channel, recipient] = await open(tx.db, token);
        if (channel.tenant_id !== tenant_id) throw problem('link_invalid');
        const set = unsubscribed ? insertUnsubscribe : deleteUnsubscribe;
        if (await set(tx.db, recipient)) {
          const type = unsubscribed ? 'channel_unsubscribed' : 'channel_resubscribed';
          const { id: channel_id, channel: kind, name } = channel;
          tx.emit(type, { tenant_id, division }, { channel_id, channel: kind, name });
        }
        const channels = await findChannelsTo(tx.db, tenant_id, recipient.address_hash);
        const unsubscribedAt = await findUnsubscribe(tx.db, recipient);
        // main-api may have answered by now that nothing is known of it
        if (until.getTime() < Date.now()) throw problem('unavailable');
        return { channels, unsubscribed_at: unsubscribedAt?.toISOString() ?? null };
      });
    },
  };
}
