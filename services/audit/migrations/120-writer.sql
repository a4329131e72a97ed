-- The service works as a role that may only add to the log and read it. What else happens to the log is done by functions of the owner,
-- which that role may call, and which decide themselves whether it may be.

-- Closes the log of a tenant, once its deletion stands there. The first word counts: a tenant is deleted once. Whatever is asked for, the
-- log is kept for seven days at least, in which to see what has happened.
CREATE FUNCTION close_log(tenant bigint, keep_days integer) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM log_entries WHERE tenant_id = tenant AND type = 'tenant_deleted') THEN
    RAISE EXCEPTION 'the log of tenant % holds no deletion', tenant USING ERRCODE = 'integrity_constraint_violation';
  END IF;
  INSERT INTO deleted_tenants (tenant_id, keep_until)
  VALUES (tenant, now() + make_interval(days => least(greatest(keep_days, 7), 36500)))
  ON CONFLICT (tenant_id) DO NOTHING;
END $$;

-- Deletes some entries of deleted tenants from the table of the release before, those that need not be kept any more and are in the log.
-- The answer is how many.
CREATE FUNCTION delete_former_entries(most integer) RETURNS integer LANGUAGE plpgsql SECURITY DEFINER AS $$
DECLARE
  ids uuid[];
BEGIN
  ids := ARRAY(
    SELECT event_id FROM entries JOIN deleted_tenants USING (tenant_id)
    WHERE keep_until <= now() AND NOT EXISTS (
      SELECT FROM former_entries AS former
      WHERE (former.tenant_id, former.occurred_at, former.sequence, former.event_id)
        = (entries.tenant_id, entries.occurred_at, entries.sequence, entries.event_id))
    LIMIT most);
  -- nothing is locked for nothing
  IF cardinality(ids) > 0 THEN DELETE FROM entries WHERE event_id = ANY (ids); END IF;
  RETURN cardinality(ids);
END $$;

REVOKE ALL ON FUNCTION close_log FROM PUBLIC;
REVOKE ALL ON FUNCTION delete_former_entries FROM PUBLIC;

-- Temporary tables are looked at last: otherwise whoever calls one of these could put his own in the place of the log's.
DO $$
DECLARE
  signature regprocedure;
BEGIN
  FOREACH signature IN ARRAY ARRAY['make_log_partition(date)', 'drop_log_partition()', 'close_log(bigint, integer)',
    'delete_former_entries(integer)']::regprocedure[]
  LOOP
    EXECUTE format('ALTER FUNCTION %s SET search_path = %I, pg_temp', signature, current_schema());
  END LOOP;
END $$;
