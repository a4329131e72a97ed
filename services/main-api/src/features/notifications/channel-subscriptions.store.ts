import type {
  ChannelId,
  ChannelSubscriptionId,
  ConsumerLagThreshold,
  Ref,
  ScopeIds,
  TenantId,
} from '@sluice/contracts';
import type { Page } from '@sluice/http';
import type { Database } from '@sluice/main-store/database';
import { existing, firstOf, insertRow, pageOfRows } from '@sluice/main-store/rows';
import { bigint, id, jsonb, nullable, table, text, time, type RowOf } from '@sluice/main-store/columns';

/** What a subscription names, with its names. */
export type SubscriptionScopes = { [Level in keyof ScopeIds]: Ref<ScopeIds[Level][number]>[] };

export const ChannelSubscription = table('channel_subscriptions', {
  id: id<ChannelSubscriptionId>(),
  channel_id: bigint<ChannelId>(),
  message_types: text<string[]>({ array: true }),
  scopes: jsonb<SubscriptionScopes>(),
  consumer_lag_threshold: nullable(bigint<ConsumerLagThreshold>()),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type ChannelSubscriptionRow = RowOf<typeof ChannelSubscription>;

export type SubscriptionContent = Pick<
  ChannelSubscriptionRow,
  'message_types' | 'scopes' | 'consumer_lag_threshold'
>;

export const getSubscription = (db: Database, channel_id: ChannelId, id: ChannelSubscriptionId) =>
  existing(db.manager.findOneBy(ChannelSubscription, { id, channel_id }));

/** The plan keeps a channel's subscriptions to some dozens. */
export const listSubscriptions = (
  db: Database,
  channelId: ChannelId,
  messageType: string | undefined,
  page: Page,
) => {
  const source = `channel_subscriptions WHERE channel_id = $1 AND ($2::text IS NULL OR $2 = ANY (message_types))`;
  return pageOfRows<ChannelSubscriptionRow>(db, page, source, [channelId, messageType ?? null]);
};

export const findSubscriptionsOf = (db: Database, channel_id: ChannelId) =>
  db.manager.findBy(ChannelSubscription, { channel_id });

export const countSubscriptions = (db: Database, channel_id: ChannelId) =>
  db.manager.countBy(ChannelSubscription, { channel_id });

/** The most subscriptions that a channel of a tenant has. */
export async function mostSubscriptions(db: Database, tenantId: TenantId): Promise<number> {
  const most = db.query<{ most: number | null }>(
    `SELECT max((SELECT count(*) FROM channel_subscriptions s WHERE s.channel_id = c.id)) AS most
     FROM channels c WHERE c.tenant_id = $1`,
    [tenantId],
  );
  return (await firstOf(most))?.most ?? 0;
}

export const insertSubscription = (db: Database, channel_id: ChannelId, content: SubscriptionContent) =>
  insertRow(db, ChannelSubscription, { ...content, channel_id });

/** @param id default: all of the channel */
export const deleteSubscriptions = (db: Database, channel_id: ChannelId, id?: ChannelSubscriptionId) =>
  db.manager.delete(ChannelSubscription, { channel_id, ...(id !== undefined && { id }) });
