-- The notifier's tables as release 1.0.0 has them. What comes later is a file of its own.

-- Where tenants and their divisions have events sent, as main-api has sent it last (interface, 2.15).
CREATE TABLE channels (
  id bigint PRIMARY KEY,
  version bigint NOT NULL,
  tenant_id bigint NOT NULL,
  -- null: the tenant's own
  division_id bigint,
  channel text NOT NULL,
  name text NOT NULL,
  enabled boolean NOT NULL,
  -- destination, settings and the secret that webhooks are signed with, encrypted
  sealed text NOT NULL,
  -- of a mail channel, as in `unsubscribes`
  address_hash text,
  created_at timestamptz NOT NULL
);
CREATE INDEX channels_by_address ON channels (tenant_id, address_hash);

-- The highest version of each channel, also of those that are deleted: an older state that comes late has no effect. Who takes in a state
-- locks its row.
CREATE TABLE channel_versions (
  channel_id bigint PRIMARY KEY,
  version bigint NOT NULL,
  deleted_at timestamptz
);
CREATE INDEX channel_versions_deleted ON channel_versions (deleted_at);

-- Which events a channel gets, where that is not everything. An empty array stands for all there is at that level.
CREATE TABLE subscriptions (
  id bigint PRIMARY KEY,
  channel_id bigint NOT NULL REFERENCES channels ON DELETE CASCADE,
  message_types text[] NOT NULL,
  tenant_ids bigint[] NOT NULL,
  division_ids bigint[] NOT NULL,
  environment_ids bigint[] NOT NULL,
  deployment_ids bigint[] NOT NULL
);
CREATE INDEX subscriptions_by_channel ON subscriptions (channel_id);

-- By which an event finds the channels that may want it: one row for each of the narrowest places that a subscription names,
-- or one for a channel without subscriptions.
CREATE TABLE routes (
  tenant_id bigint NOT NULL,
  -- `tenant`, `division 3`, `environment 4` or `deployment 5`
  place text NOT NULL,
  channel_id bigint NOT NULL REFERENCES channels ON DELETE CASCADE,
  subscription_id bigint REFERENCES subscriptions ON DELETE CASCADE
);
CREATE INDEX routes_by_place ON routes (tenant_id, place);
CREATE INDEX routes_by_channel ON routes (channel_id);
CREATE INDEX routes_by_subscription ON routes (subscription_id);

-- What channels got, or are to get (interface, 2.15 and 6.2): the history, and what is left to do.
CREATE TABLE notifications (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  channel_id bigint NOT NULL REFERENCES channels ON DELETE CASCADE,
  -- the same at each attempt, for receivers to know doubles by
  message_id uuid NOT NULL,
  tenant_id bigint NOT NULL,
  division_id bigint,
  environment_id bigint,
  deployment_id bigint,
  message_type text NOT NULL,
  -- subject, body, facts and link
  message jsonb NOT NULL,
  occurred_at timestamptz NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  reason text,
  due_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  delivered_at timestamptz
);
CREATE INDEX notifications_listed ON notifications (channel_id, created_at, id);
CREATE INDEX notifications_pending ON notifications (channel_id, due_at, id) WHERE status = 'pending';
CREATE INDEX notifications_by_time ON notifications (created_at);

-- When something of a channel is due. The replica that leases it delivers alone, so that a destination gets one message at a time.
CREATE TABLE queues (
  channel_id bigint PRIMARY KEY REFERENCES channels ON DELETE CASCADE,
  -- when it can be leased: when something is due, or when the lease of a replica that has not come back is over
  ready_at timestamptz NOT NULL,
  -- of what came during the lease
  due_at timestamptz NOT NULL,
  lease uuid
);
CREATE INDEX queues_ready ON queues (ready_at);

-- When a channel last got a type of event about the same resource.
CREATE TABLE throttles (
  channel_id bigint NOT NULL REFERENCES channels ON DELETE CASCADE,
  -- a hash of type and resource
  subject text NOT NULL,
  notified_at timestamptz NOT NULL,
  PRIMARY KEY (channel_id, subject)
);
CREATE INDEX throttles_by_time ON throttles (notified_at);

-- Mails that other services have asked for and that were sent of late: what they were about, should they come back. Nothing of what they say.
CREATE TABLE sent_mails (
  -- of the message that asked for it
  mail_id uuid PRIMARY KEY,
  tenant_id bigint NOT NULL,
  template text NOT NULL,
  recipient text NOT NULL,
  about jsonb NOT NULL,
  sent_at timestamptz NOT NULL DEFAULT now(),
  returned_at timestamptz
);
CREATE INDEX sent_mails_by_time ON sent_mails (sent_at);
CREATE INDEX sent_mails_by_tenant ON sent_mails (tenant_id);

-- How many mails of channels an address has had of late: when its part of a day will be whole again.
CREATE TABLE mail_allowances (
  -- an HMAC of the address
  subject text PRIMARY KEY,
  whole_at timestamptz NOT NULL
);
CREATE INDEX mail_allowances_by_time ON mail_allowances (whole_at);

-- Addresses that have unsubscribed from the notification channels of a tenant.
CREATE TABLE unsubscribes (
  tenant_id bigint NOT NULL,
  -- SHA-256 of tenant and address: without a key, since it has to hold after keys were replaced
  address_hash text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, address_hash)
);
