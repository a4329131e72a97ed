-- Where tenants and their divisions want to be told of events (interface, 2.15).
CREATE TABLE channels (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL,
  -- null: the tenant's own
  division_id bigint,
  channel text NOT NULL,
  name text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  -- destination, settings and the secret that webhooks are signed with, encrypted
  sealed text NOT NULL,
  remarks text,
  tested_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX channels_name_key ON channels (tenant_id, coalesce(division_id, 0), lower(name));
CREATE INDEX channels_listed ON channels (tenant_id, created_at, id);

-- Changes of a tenant's channels are made one after the other, so that limits hold.
CREATE TABLE tenant_locks (tenant_id bigint PRIMARY KEY);

-- What a channel is told of, where that is not everything. An empty array stands for all there is at that level.
CREATE TABLE subscriptions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  channel_id bigint NOT NULL REFERENCES channels ON DELETE CASCADE,
  message_types text[] NOT NULL,
  tenant_ids bigint[] NOT NULL,
  division_ids bigint[] NOT NULL,
  environment_ids bigint[] NOT NULL,
  deployment_ids bigint[] NOT NULL,
  -- the names that these had when the subscription was made, by level
  scopes jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX subscriptions_listed ON subscriptions (channel_id, created_at, id);

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

-- Requests that may come again, and what they have made.
CREATE TABLE requests (
  key text PRIMARY KEY,
  made_id bigint,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX requests_by_time ON requests (created_at);
