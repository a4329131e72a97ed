import type {
  ChannelId,
  ChannelKind,
  ChannelSubscriptionId,
  DeploymentId,
  DivisionId,
  EnvironmentId,
  MailAbout,
  NotificationId,
  NotificationStatus,
  SubscriptionScopes,
  TenantId,
} from '@sluice/contracts';
import type { Outgoing } from '@sluice/messaging';
import type { KyselyTransaction } from '@sluice/service';
import type { Generated, GeneratedAlways, JSONColumnType, Kysely } from 'kysely';

/** What a channel is told. */
export interface StoredMessage {
  subject: string;
  body: string;
  facts: { name: string; value: string }[];
  link?: string;
  /** of the event, for programs; absent in what an older version has stored, and of a test message */
  data?: unknown;
}

/** The tables of `migrations/`, as Kysely checks statements against them. */
export interface Tables {
  channels: {
    id: GeneratedAlways<ChannelId>;
    tenant_id: TenantId;
    division_id: DivisionId | null;
    channel: ChannelKind;
    name: string;
    enabled: Generated<boolean>;
    sealed: string;
    remarks: string | null;
    tested_at: Date | null;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  tenant_locks: { tenant_id: TenantId };
  subscriptions: {
    id: GeneratedAlways<ChannelSubscriptionId>;
    channel_id: ChannelId;
    message_types: string[];
    tenant_ids: number[];
    division_ids: number[];
    environment_ids: number[];
    deployment_ids: number[];
    scopes: JSONColumnType<SubscriptionScopes>;
    created_at: Generated<Date>;
    updated_at: Generated<Date>;
  };
  routes: {
    tenant_id: TenantId;
    place: string;
    channel_id: ChannelId;
    subscription_id: ChannelSubscriptionId | null;
  };
  requests: { key: string; made_id: number | null; created_at: Generated<Date> };
  notifications: {
    id: GeneratedAlways<NotificationId>;
    channel_id: ChannelId;
    message_id: string;
    tenant_id: TenantId;
    division_id: DivisionId | null;
    environment_id: EnvironmentId | null;
    deployment_id: DeploymentId | null;
    message_type: string;
    message: JSONColumnType<StoredMessage>;
    occurred_at: Date;
    status: NotificationStatus;
    attempts: Generated<number>;
    reason: string | null;
    due_at: Generated<Date>;
    created_at: Generated<Date>;
    delivered_at: Date | null;
  };
  queues: { channel_id: ChannelId; ready_at: Date; due_at: Date; lease: string | null };
  throttles: { channel_id: ChannelId; subject: string; told_at: Date };
  mail_allowances: { subject: string; whole_at: Date };
  unsubscribes: { tenant_id: TenantId; address_hash: string; created_at: Generated<Date> };
  sent_mails: {
    mail_id: string;
    tenant_id: TenantId;
    template: string;
    recipient: string;
    about: JSONColumnType<MailAbout>;
    sent_at: Generated<Date>;
    returned_at: Date | null;
  };
}

export type Database = Kysely<Tables>;

export type Transaction = KyselyTransaction<Tables> & Outgoing;
