import { scopeLevels, type ChannelId, type ChannelInventory, type ScopeIds } from '@sluice/contracts';
import { problem, type Log } from '@sluice/service';
import type { Core } from '../../core.ts';
import type { Transaction } from '@sluice/main-store/database';
import { findSubscriptionsOf, type SubscriptionScopes } from './channel-subscriptions.store.ts';
import {
  findChannelsBetween,
  nextVersion,
  raiseVersion,
  setUnsubscribed,
  type DeletedChannel,
} from './channels.store.ts';

/** How the notifier gets the channels: each change sends the state of its channel under a higher version. */

export type ChannelKeys = Pick<Core, 'secrets' | 'mailCipher'>;

export interface ChannelInventoryDependencies extends ChannelKeys {
  log: Log;
}

/** bytes of a state: below what a message can have */
const mostStateBytes = 500 * 1024;

/** Sends the state of a channel, under a version above `known`. @throws Problem `payload_too_large` */
export async function sendChannel(
  tx: Transaction,
  { secrets, mailCipher }: ChannelKeys,
  id: ChannelId,
  known?: number,
): Promise<void> {
  const { version, tenant_id, division_id, channel, name, enabled, sealed_secrets, created_at } =
    await raiseVersion(tx, id, known);
  const subscriptions = await findSubscriptionsOf(tx, id);
  const message = {
    channel_id: id,
    version,
    state: {
      ...{ tenant_id, division_id, channel, name, enabled },
      sealed: await mailCipher.seal(await secrets.open(sealed_secrets)),
      created_at: created_at.toISOString(),
      subscriptions: subscriptions.map(
        ({ id: subscription, message_types, scopes, consumer_lag_threshold: lag }) => ({
          id: subscription,
          message_types,
          scopes: idsOf(scopes),
          ...(lag !== null && { consumer_lag_threshold: lag }),
        }),
      ),
    },
  };
  if (Buffer.byteLength(JSON.stringify(message)) > mostStateBytes) throw problem('payload_too_large');
  tx.channel('channel_state', message);
}

const idsOf = (scopes: SubscriptionScopes): ScopeIds =>
  Object.fromEntries(scopeLevels.map((level) => [level, scopes[level].map(({ id }) => id)])) as ScopeIds;

/** Has channels that are deleted here deleted at the notifier. */
export function sendDeleted(tx: Transaction, channels: readonly DeletedChannel[]): void {
  for (const { id, version } of channels)
    tx.channel('channel_state', { channel_id: id, version, state: null });
}

/**
 * Compares the channels that the notifier has with those that there are. Each that it lacks or has in another version is sent anew: after
 * a restore of either database that may be an older one or a newer one, and this one counts.
 */
export async function takeChannelInventory(
  tx: Transaction,
  { log, ...keys }: ChannelInventoryDependencies,
  { after, upto, channels }: ChannelInventory,
): Promise<void> {
  const named = new Map(channels.map((channel) => [channel.id, channel]));
  for (const { id, version, sealed_secrets, unsubscribed_at } of await findChannelsBetween(tx, after, upto)) {
    const known = named.get(id);
    named.delete(id);
    if (known?.version !== version && (await isReadable(keys, sealed_secrets)))
      await sendChannel(tx, keys, id, known?.version);
    else if (known?.version !== version)
      log.error('no key opens a channel: it is not sent to the notifier', { channel_id: id });
    const unsubscribed = known?.unsubscribed_at ?? null;
    if (known && unsubscribed !== (unsubscribed_at?.toISOString() ?? null))
      await setUnsubscribed(tx, [id], unsubscribed === null ? null : new Date(unsubscribed));
  }
  for (const { id, version } of named.values())
    sendDeleted(tx, [{ id, version: await nextVersion(tx, version) }]);
}

const isReadable = ({ secrets }: ChannelKeys, sealed: string): Promise<boolean> =>
  secrets.open(sealed).then(
    () => true,
    () => false,
  );
