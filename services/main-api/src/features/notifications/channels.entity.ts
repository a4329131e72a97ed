import type {
  ChannelId,
  ChannelKind,
  ChannelSubscriptionId,
  DivisionId,
  Ref,
  ScopeIds,
  TenantId,
} from '@sluice/contracts';
import { bigint, boolean, id, jsonb, nullable, table, text, time, type RowOf } from '../../stores/columns.ts';

export const Channel = table('channels', {
  id: id<ChannelId>(),
  tenant_id: bigint<TenantId>(),
  division_id: nullable(bigint<DivisionId>()),
  channel: text<ChannelKind>(),
  name: text(),
  enabled: boolean({ default: true }),
  /** `ChannelSecrets` as JSON, encrypted */
  sealed_secrets: text(),
  remarks: nullable(text()),
  version: bigint({ default: () => "nextval('channel_versions')" }),
  tested_at: nullable(time()),
  unsubscribed_at: nullable(time()),
  created_at: time({ createDate: true }),
  updated_at: time({ updateDate: true }),
});
export type ChannelRow = RowOf<typeof Channel>;

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
