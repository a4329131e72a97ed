-- Where a tenant has its audit log sent, and how far that has come. The settings are sealed as a whole: some of them open
-- the tenant's own systems.
CREATE TABLE sinks (
  tenant_id bigint PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('https', 's3')),
  sealed_settings text NOT NULL,
  -- where it goes, for people: without anything secret
  destination text NOT NULL,
  enabled boolean NOT NULL,
  interval_seconds integer NOT NULL,
  -- of the tenant's log, the last entry that the sink has taken
  position bigint NOT NULL,
  delivered bigint NOT NULL DEFAULT 0,
  -- entries that were gone before the sink took them
  missed bigint NOT NULL DEFAULT 0,
  failures integer NOT NULL DEFAULT 0,
  failing_since timestamptz,
  -- whether that was said in an event
  failing_told boolean NOT NULL DEFAULT false,
  last_error text,
  last_error_at timestamptz,
  last_delivery_at timestamptz,
  due_at timestamptz NOT NULL DEFAULT now(),
  -- who delivers: grows with each taking and each change, so that what was begun before has no say
  fence bigint NOT NULL DEFAULT 0,
  leased_until timestamptz,
  tested_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX sinks_due ON sinks (due_at) WHERE enabled;
