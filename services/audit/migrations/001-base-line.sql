-- The tables of the audit service as release 1.0.0 has them. What comes later is a file of its own.

-- The audit log: one row per event, written once, by month of its recording. In the log of its tenant each entry has a number and
-- holds the hash of the one before it.
CREATE TABLE log_entries (
  tenant_id bigint NOT NULL,
  seq bigint NOT NULL,
  -- never before that of the entry before it, so that a month is a part of each chain
  recorded_at timestamptz(3) NOT NULL,
  event_id uuid NOT NULL,
  -- of the event in the stream of events: the order of what happened within one millisecond
  position bigint NOT NULL,
  type text NOT NULL,
  author_id bigint,
  author_name text,
  user_id bigint,
  user_name text,
  division_id bigint,
  division_name text,
  environment_id bigint,
  environment_name text,
  deployment_id bigint,
  deployment_name text,
  api_key_id bigint,
  api_key_name text,
  data jsonb NOT NULL,
  -- an event that the release which recorded it did not understand, as it came
  as_sent jsonb,
  correlation_id uuid,
  occurred_at timestamptz(3) NOT NULL,
  prev_hash bytea NOT NULL,
  hash bytea NOT NULL,
  PRIMARY KEY (tenant_id, seq, recorded_at)
) PARTITION BY RANGE (recorded_at);

-- One index per filter of the Audit API, in the order of the list, so that a page is read off it without sorting.
CREATE INDEX log_entries_by_time ON log_entries (tenant_id, occurred_at DESC, position DESC, seq DESC);
CREATE INDEX log_entries_by_type ON log_entries (tenant_id, type, occurred_at DESC, position DESC, seq DESC);
CREATE INDEX log_entries_by_author ON log_entries (tenant_id, author_id, occurred_at DESC, position DESC, seq DESC)
  WHERE author_id IS NOT NULL;
CREATE INDEX log_entries_by_user ON log_entries (tenant_id, user_id, occurred_at DESC, position DESC, seq DESC)
  WHERE user_id IS NOT NULL;
CREATE INDEX log_entries_by_division ON log_entries (tenant_id, division_id, occurred_at DESC, position DESC, seq DESC)
  WHERE division_id IS NOT NULL;
CREATE INDEX log_entries_by_environment ON log_entries (tenant_id, environment_id, occurred_at DESC, position DESC, seq DESC)
  WHERE environment_id IS NOT NULL;
CREATE INDEX log_entries_by_deployment ON log_entries (tenant_id, deployment_id, occurred_at DESC, position DESC, seq DESC)
  WHERE deployment_id IS NOT NULL;
CREATE INDEX log_entries_by_correlation ON log_entries (tenant_id, correlation_id) WHERE correlation_id IS NOT NULL;

CREATE FUNCTION refuse_change_of_log() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'the audit log is only added to: % of % is refused', TG_OP, TG_TABLE_NAME
    USING ERRCODE = 'integrity_constraint_violation';
END $$;
-- partitions get the first by themselves; the second is for each table by itself
CREATE TRIGGER only_added_to BEFORE UPDATE OR DELETE ON log_entries
  FOR EACH ROW EXECUTE FUNCTION refuse_change_of_log();
CREATE TRIGGER not_emptied BEFORE TRUNCATE ON log_entries
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_log();

-- The last entry of each tenant's log. A replica that adds to a log locks its row, so that there is one order.
CREATE TABLE log_heads (
  tenant_id bigint PRIMARY KEY,
  seq bigint NOT NULL DEFAULT 0,
  hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
  recorded_at timestamptz(3) NOT NULL DEFAULT 'epoch',
  -- When the log last grew, by the clock of the database. `recorded_at` is when NATS stored the last event, which may be long before: heads
  -- that are to be published cannot be found by it.
  moved_at timestamptz NOT NULL DEFAULT now()
) WITH (fillfactor = 50);

-- What is left of entries that are gone with their month: the last one of each tenant, to which the rest of its log is chained.
CREATE TABLE log_anchors (
  tenant_id bigint PRIMARY KEY,
  seq bigint NOT NULL,
  hash bytea NOT NULL,
  dropped_at timestamptz NOT NULL DEFAULT now()
);

-- How many entries there are in each thousand of a tenant's log, in all and for each value that the Audit API filters by: so that what is
-- counted for a list are rows here and at most some thousand entries, however many there are.
CREATE TABLE log_counts (
  tenant_id bigint NOT NULL,
  -- `all`, or what is filtered by: `type`, `author`, …
  dimension text NOT NULL,
  value text NOT NULL,
  -- the first number of the thousand
  first_seq bigint NOT NULL,
  entries integer NOT NULL,
  -- when the first and the last of these happened
  oldest timestamptz(3) NOT NULL,
  newest timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, dimension, value, first_seq)
);

-- How far the log of a tenant has been counted: a multiple of 1,000.
CREATE TABLE log_counted (
  tenant_id bigint PRIMARY KEY,
  seq bigint NOT NULL
);

-- What the plan of a tenant allows of the audit log, as main-api has said last; the highest version counts.
CREATE TABLE tenant_features (
  tenant_id bigint PRIMARY KEY,
  version bigint NOT NULL,
  audit_retention_days integer NOT NULL,
  audit_export_enabled boolean NOT NULL
);

-- Tenants that were deleted. Their log stays, with the entry of the deletion, until `keep_until`: tenants can read it no more, the operator of
-- the installation can, here. An event of theirs that is handled late finds its tenant here.
CREATE TABLE deleted_tenants (
  tenant_id bigint PRIMARY KEY,
  deleted_at timestamptz NOT NULL DEFAULT now(),
  keep_until timestamptz NOT NULL DEFAULT now() + interval '365 days'
);
CREATE INDEX deleted_tenants_by_end ON deleted_tenants (keep_until);

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
  -- an event has reported it
  failure_reported boolean NOT NULL DEFAULT false,
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

-- The service works as a role that may only add to the log and read it. What else happens to the log is done by functions of the owner,
-- which that role may call, and which decide themselves whether it may be.

-- Makes the partition of a month unless it is there. It belongs to the owner of the log, also where another role calls this.
CREATE FUNCTION make_log_partition(month date) RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  first timestamp := date_trunc('month', month::timestamp);
  partition text := 'log_entries_' || to_char(first, 'YYYY_MM');
BEGIN
  IF first NOT BETWEEN '2000-01-01' AND now() AT TIME ZONE 'UTC' + interval '1 year' THEN
    RAISE EXCEPTION 'no log is kept for %', first USING ERRCODE = 'datetime_field_overflow';
  END IF;
  PERFORM pg_advisory_xact_lock(hashtext('make_log_partition'));
  IF to_regclass(partition) IS NOT NULL THEN RETURN; END IF;
  -- attached when it is complete, so that reads and writes of the log go on
  EXECUTE format('CREATE TABLE %I (LIKE log_entries INCLUDING ALL)', partition);
  EXECUTE format('CREATE TRIGGER not_emptied BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_log()',
    partition);
  EXECUTE format('ALTER TABLE log_entries ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition,
    first AT TIME ZONE 'UTC', (first + interval '1 month') AT TIME ZONE 'UTC');
END $$;
REVOKE ALL ON FUNCTION make_log_partition FROM PUBLIC;

-- Drops the oldest month of the log when no tenant of it is to keep its entries any more: the only way in which entries go. Those of a
-- tenant whose plan is not known stay. The answer is the month's name, NULL when there is nothing to drop.
CREATE FUNCTION drop_log_partition() RETURNS text LANGUAGE plpgsql SECURITY DEFINER SET search_path FROM CURRENT AS $$
DECLARE
  oldest text;
  ends timestamptz;
  needed boolean;
BEGIN
  SET LOCAL lock_timeout = '1s';
  PERFORM pg_advisory_xact_lock(hashtext('make_log_partition'));
  SELECT min(relname) INTO oldest FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
  WHERE inhparent = 'log_entries'::regclass;
  ends := (to_date(right(oldest, 7), 'YYYY_MM') + interval '1 month') AT TIME ZONE 'UTC';
  -- a day more, in which clocks may differ; seven days are the shortest retention
  IF oldest IS NULL OR ends > now() - interval '8 days' THEN RETURN NULL; END IF;
  EXECUTE format(
    'SELECT EXISTS (
       SELECT FROM (SELECT DISTINCT tenant_id FROM %I) AS present
       LEFT JOIN tenant_features USING (tenant_id) LEFT JOIN deleted_tenants USING (tenant_id)
       WHERE CASE WHEN keep_until IS NOT NULL THEN keep_until > now()
         ELSE coalesce($1 + (audit_retention_days + 1) * interval ''1 day'' > now(), true) END)', oldest)
    INTO needed USING ends;
  IF needed THEN RETURN NULL; END IF;
  EXECUTE format(
    'INSERT INTO log_anchors AS known (tenant_id, seq, hash)
     SELECT DISTINCT ON (tenant_id) tenant_id, seq, hash FROM %I ORDER BY tenant_id, seq DESC
     ON CONFLICT (tenant_id) DO UPDATE SET seq = excluded.seq, hash = excluded.hash, dropped_at = now()
     WHERE known.seq < excluded.seq', oldest);
  EXECUTE format('DROP TABLE %I', oldest);
  RETURN oldest;
END $$;
REVOKE ALL ON FUNCTION drop_log_partition FROM PUBLIC;

-- Closes the log of a tenant, once its deletion stands there. The first deletion counts. The log is kept for seven days at least, in
-- which to see what has happened.
CREATE FUNCTION close_log(tenant bigint, keep_days integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM log_entries WHERE tenant_id = tenant AND type = 'tenant_deleted') THEN
    RAISE EXCEPTION 'the log of tenant % holds no deletion', tenant USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  INSERT INTO deleted_tenants (tenant_id, keep_until)
  VALUES (tenant, now() + make_interval(days => least(greatest(keep_days, 7), 36500)))
  ON CONFLICT (tenant_id) DO NOTHING;
END $$;
REVOKE ALL ON FUNCTION close_log FROM PUBLIC;

-- Temporary tables are looked at last: otherwise a caller could put one of its own in the place of the log's.
DO $$
DECLARE
  signature regprocedure;
BEGIN
  FOREACH signature IN ARRAY ARRAY['make_log_partition(date)', 'drop_log_partition()', 'close_log(bigint, integer)']::regprocedure[]
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', signature, current_schema());
  END LOOP;
END $$;
