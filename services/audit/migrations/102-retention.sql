-- What is left of entries that are gone with their month: the last one of each tenant, to which the rest of its log is chained.
CREATE TABLE log_anchors (
  tenant_id bigint PRIMARY KEY,
  seq bigint NOT NULL,
  hash bytea NOT NULL,
  dropped_at timestamptz NOT NULL DEFAULT now()
);

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
