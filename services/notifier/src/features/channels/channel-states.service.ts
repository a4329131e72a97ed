import { channelSecretsSchema, type ChannelId, type ChannelMessage } from '@sluice/contracts';
import { RetryLater } from '@sluice/messaging';
import type { SecretBox } from '@sluice/system/secrets';
import type { Transaction } from '../../database/tables.ts';
import { addressHash } from './address-hash.ts';
import type { ChannelVault } from './channel-vault.ts';
import { deleteChannel, findInventoried, raiseVersion, upsertChannel } from './channels.store.ts';
import { replaceSubscriptions } from './subscriptions.store.ts';

export interface ChannelStatesDependencies {
  /** opens what main-api has sealed */
  cipher: SecretBox;
  vault: ChannelVault;
}

/** Takes in the states of channels as main-api sends them. The highest version counts. */
export function channelStatesService({ cipher, vault }: ChannelStatesDependencies) {
  return {
    /** @throws RetryLater for what none of MAIL_KEYS opens: it waits until one does, and holds up no other channel */
    async apply(
      tx: Transaction,
      { channel_id: id, version, state }: ChannelMessage<'channel_state'>,
    ): Promise<void> {
      if (!(await raiseVersion(tx.db, id, version))) return;
      if (!state) return await deleteChannel(tx.db, id);
      const { tenant_id, division_id, channel, name, enabled } = state;
      const secrets = channelSecretsSchema.parse(JSON.parse(await opened(cipher, state.sealed)));
      await upsertChannel(tx.db, {
        ...{ id, version, tenant_id, division_id, channel, name, enabled },
        sealed: await vault.seal(secrets),
        address_hash: channel === 'email' ? addressHash(tenant_id, secrets.destination) : null,
        created_at: new Date(state.created_at),
      });
      await replaceSubscriptions(tx.db, id, state);
      await reportUnsubscribed(tx, id);
    },
  };
}

async function opened(cipher: SecretBox, sealed: string): Promise<string> {
  return await cipher.open(sealed).catch(() => {
    throw new RetryLater('the channel cannot be opened with any of MAIL_KEYS');
  });
}

/** main-api cannot know that the address of a new channel has unsubscribed before. */
async function reportUnsubscribed(tx: Transaction, id: ChannelId): Promise<void> {
  const { version, unsubscribed_at } = (await findInventoried(tx.db, id)) ?? {};
  if (!version || !unsubscribed_at) return;
  const channels = [{ id, version, unsubscribed_at: unsubscribed_at.toISOString() }];
  tx.report('channel_inventory', { after: id - 1, upto: id, channels });
}
