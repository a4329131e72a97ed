import type {
  ChannelId,
  ChannelKind,
  ChannelSubscriptionId,
  DivisionId,
  Ref,
  ScopeIds,
  TenantId,
} from '@sluice/contracts';
import { EntitySchema } from 'typeorm';
import { idColumn } from '../../stores/columns.ts';

export interface ChannelRow {
  id: ChannelId;
  tenant_id: TenantId;
  division_id: DivisionId | null;
  channel: ChannelKind;
  name: string;
  enabled: boolean;
  /** `ChannelSecrets` as JSON, encrypted */
  sealed_secrets: string;
  remarks: string | null;
  version: number;
  tested_at: Date | null;
  unsubscribed_at: Date | null;
  created_at: Date;
  updated_at: Date;
}

export const Channel = new EntitySchema<ChannelRow>({
  name: 'channel',
  tableName: 'channels',
  columns: {
    id: idColumn,
    tenant_id: { type: 'bigint' },
    division_id: { type: 'bigint', nullable: true },
    channel: { type: 'text' },
    name: { type: 'text' },
    enabled: { type: 'boolean', default: true },
    sealed_secrets: { type: 'text' },
    remarks: { type: 'text', nullable: true },
    version: { type: 'bigint', default: () => "nextval('channel_versions')" },
    tested_at: { type: 'timestamptz', nullable: true },
    unsubscribed_at: { type: 'timestamptz', nullable: true },
    created_at: { type: 'timestamptz', createDate: true },
    updated_at: { type: 'timestamptz', updateDate: true },
  },
});

/** What a subscription names, with its names. */
export type SubscriptionScopes = { [Level in keyof ScopeIds]: Ref<ScopeIds[Level][number]>[] };

export interface ChannelSubscriptionRow {
  id: ChannelSubscriptionId;
  channel_id: ChannelId;
  message_types: string[];
  scopes: SubscriptionScopes;
  created_at: Date;
  updated_at: Date;
}

export const ChannelSubscription = new EntitySchema<ChannelSubscriptionRow>({
  name: 'channel_subscription',
  tableName: 'channel_subscriptions',
  columns: {
    id: idColumn,
    channel_id: { type: 'bigint' },
    message_types: { type: 'text', array: true },
    scopes: { type: 'jsonb' },
    created_at: { type: 'timestamptz', createDate: true },
    updated_at: { type: 'timestamptz', updateDate: true },
  },
});
