-- The audit log: one row per event, written once, by month of its recording. In the log of its tenant each entry has a number and
-- holds the hash of the one before it; `entries` is what the release before writes, and goes with it.
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

-- Makes the partition of a month unless it is there. It belongs to the owner of the log, whoever asks.
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
  -- attached when it is complete, which hinders nobody who reads or writes the log
  EXECUTE format('CREATE TABLE %I (LIKE log_entries INCLUDING ALL)', partition);
  EXECUTE format('CREATE TRIGGER not_emptied BEFORE TRUNCATE ON %I FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_log()',
    partition);
  EXECUTE format('ALTER TABLE log_entries ATTACH PARTITION %I FOR VALUES FROM (%L) TO (%L)', partition,
    first AT TIME ZONE 'UTC', (first + interval '1 month') AT TIME ZONE 'UTC');
END $$;
REVOKE ALL ON FUNCTION make_log_partition FROM PUBLIC;

-- The last entry of each tenant's log. Whoever adds to a log locks its row, so that there is one order.
CREATE TABLE log_heads (
  tenant_id bigint PRIMARY KEY,
  seq bigint NOT NULL DEFAULT 0,
  hash bytea NOT NULL DEFAULT decode(repeat('00', 32), 'hex'),
  recorded_at timestamptz(3) NOT NULL DEFAULT 'epoch'
) WITH (fillfactor = 50);
