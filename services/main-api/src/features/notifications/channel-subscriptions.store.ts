import type { ChannelId, ChannelSubscriptionId } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { problem } from '@sluice/service';
import type { Database } from '../../database.ts';
import { newRow, pageOfRows } from '../../stores/rows.ts';
import { ChannelSubscription, type ChannelSubscriptionRow } from './channels.entity.ts';

export type SubscriptionContent = Pick<ChannelSubscriptionRow, 'message_types' | 'scopes'>;

/** @throws Problem `not_found` */
export async function getSubscription(
  db: Database,
  channel_id: ChannelId,
  id: ChannelSubscriptionId,
): Promise<ChannelSubscriptionRow> {
  const row = await db.manager.findOneBy(ChannelSubscription, { id, channel_id });
  if (!row) throw problem('not_found');
  return row;
}

/** The plan keeps a channel's subscriptions to some dozens. */
export async function listSubscriptions(
  db: Database,
  channelId: ChannelId,
  messageType: string | undefined,
  page: Page,
): Promise<[ChannelSubscriptionRow[], number]> {
  const source = `channel_subscriptions WHERE channel_id = $1 AND ($2::text IS NULL OR $2 = ANY (message_types))`;
  return await pageOfRows<ChannelSubscriptionRow>(db, '*', source, [channelId, messageType ?? null], page);
}

export async function findSubscriptionsOf(
  db: Database,
  channel_id: ChannelId,
): Promise<ChannelSubscriptionRow[]> {
  return await db.manager.findBy(ChannelSubscription, { channel_id });
}

export async function countSubscriptions(db: Database, channel_id: ChannelId): Promise<number> {
  return await db.manager.countBy(ChannelSubscription, { channel_id });
}

export async function insertSubscription(
  db: Database,
  channel_id: ChannelId,
  content: SubscriptionContent,
): Promise<ChannelSubscriptionRow> {
  const row = newRow(db, ChannelSubscription, { ...content, channel_id });
  await db.manager.insert(ChannelSubscription, row);
  return row;
}

/** @param id default: all of the channel */
export async function deleteSubscriptions(
  db: Database,
  channel_id: ChannelId,
  id?: ChannelSubscriptionId,
): Promise<void> {
  await db.manager.delete(ChannelSubscription, { channel_id, ...(id !== undefined && { id }) });
}
