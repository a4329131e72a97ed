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
  TenantId,
} from '@sluice/contracts';
import type { Outgoing, UnitOfWork } from '@sluice/messaging';
import type { KyselyTransaction } from '@sluice/service/kysely';
import type { Generated, GeneratedAlways, JSONColumnType, Kysely } from 'kysely';

/** The text of a notification. */
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
    id: ChannelId;
    version: number;
    tenant_id: TenantId;
    division_id: DivisionId | null;
    channel: ChannelKind;
    name: string;
    enabled: boolean;
    sealed: string;
    address_hash: string | null;
    created_at: Date;
  };
  channel_versions: { channel_id: ChannelId; version: number; deleted_at: Date | null };
  subscriptions: {
    id: ChannelSubscriptionId;
    channel_id: ChannelId;
    message_types: string[];
    consumer_lag_threshold: number | null;
    tenant_ids: number[];
    division_ids: number[];
    environment_ids: number[];
    deployment_ids: number[];
  };
  routes: {
    tenant_id: TenantId;
    place: string;
    channel_id: ChannelId;
    subscription_id: ChannelSubscriptionId | null;
  };
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
  throttles: { channel_id: ChannelId; subject: string; notified_at: Date };
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

export type Work = UnitOfWork<KyselyTransaction<Tables>>;
