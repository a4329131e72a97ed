import type { ChannelId, ChannelSubscriptionId, Ref, ScopeIds } from '@sluice/contracts';
import type { Page } from '@sluice/http';
import { problem } from '@sluice/service';
import type { Database } from '../../database.ts';
import { newRow, pageOfRows } from '../../stores/rows.ts';
import { bigint, id, jsonb, table, text, time, type RowOf } from '../../stores/columns.ts';

/** What a subscription names, with its names. */
export type SubscriptionScopes = { [Level in keyof ScopeIds]: Ref<ScopeIds[Level][number]>[] };

export const ChannelSubscription = table('channel_subscriptions', {
  id: id<ChannelSubscriptionId>(),
  channel_id: bigint<ChannelId>(),
  message_types: text<string[]>({ array: true }),
  scopes: jsonb<SubscriptionScopes>(),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type ChannelSubscriptionRow = RowOf<typeof ChannelSubscription>;

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
