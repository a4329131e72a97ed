import type { NotifierRequests } from '@sluice/contracts';
import type { Asked } from '@sluice/messaging';
import { problem } from '@sluice/service';
import type { Change } from '../../changes.ts';
import type { Database } from '../../database/tables.ts';
import { findChannel, type ChannelRow } from '../../stores/channels.store.ts';
import {
  deleteUnsubscribe,
  findUnsubscribe,
  insertUnsubscribe,
  type Recipient,
} from '../../stores/unsubscribes.store.ts';
import type { ChannelVault } from '../channels/channel-secrets.ts';
import { aboutOf, nameOf } from '../channels/channels.service.ts';
import type { UnsubscribeLinks } from './unsubscribe-links.ts';

type Of<Name extends keyof NotifierRequests> = Asked<NotifierRequests, Name>;

export interface UnsubscribesDependencies {
  database: Database;
  change: Change;
  vault: ChannelVault;
  links: UnsubscribeLinks;
}
export type UnsubscribesService = ReturnType<typeof unsubscribesService>;

/** How an address ends the mails of a tenant's channels, by a link that only its mails have (interface, 6.2). */
export function unsubscribesService({ database, change, vault, links }: UnsubscribesDependencies) {
  /** @throws Problem `link_invalid` also where the channel is gone, or has another destination by now */
  async function open(db: Database, token: string): Promise<[ChannelRow, Recipient]> {
    const id = links.channelOf(token);
    const channel = id && (await findChannel(db, id));
    if (channel?.channel !== 'email') throw problem('link_invalid');
    const { destination: address } = await vault.open(channel.sealed);
    if (!links.holds(token, channel.id, address)) throw problem('link_invalid');
    return [channel, { tenantId: channel.tenant_id, address }];
  }

  return {
    /** @throws Problem `link_invalid` */
    async find({ token }: Of<'find_unsubscribe'>) {
      const [{ tenant_id, division_id }, recipient] = await open(database, token);
      const unsubscribed = (await findUnsubscribe(database, recipient)) !== undefined;
      return { tenant_id, division_id, unsubscribed };
    },

    /** Unsubscribes the address of a link, or undoes that; a second time it changes nothing. @throws Problem `link_invalid` */
    async set({ token, unsubscribed, ...asked }: Of<'set_unsubscribe'>, until: Date) {
      await change(asked, until, async (tx) => {
        const [channel, recipient] = await open(tx.db, token);
        if (channel.tenant_id !== asked.tenant_id) throw problem('link_invalid');
        const set = unsubscribed ? insertUnsubscribe : deleteUnsubscribe;
        if (!(await set(tx.db, recipient))) return;
        const type = unsubscribed ? 'channel_unsubscribed' : 'channel_resubscribed';
        tx.emit(type, aboutOf(asked), nameOf(channel));
      });
      return {};
    },
  };
}
