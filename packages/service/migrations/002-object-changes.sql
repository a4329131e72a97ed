-- What has changed of which object, for those who follow changes. Triggers of each service write it, in the transaction of the change and
-- whichever release makes it. Nothing of the object itself is here: a client reads that.
CREATE TABLE object_changes (
  -- of two changes of one object the later one has the higher number
  revision bigint GENERATED ALWAYS AS IDENTITY,
  -- By this a reader knows what its snapshot did not show: a number of a sequence can become visible after a higher one.
  transaction xid8 NOT NULL DEFAULT pg_current_xact_id(),
  tenant_id bigint NOT NULL,
  division_id bigint,
  environment_id bigint,
  deployment_id bigint,
  kind text NOT NULL,
  -- null where a tenant has one of the kind
  object_id bigint,
  -- created, updated, deleted
  change text NOT NULL,
  changed_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX object_changes_by_transaction ON object_changes (transaction);
CREATE INDEX object_changes_by_tenant ON object_changes (tenant_id, transaction);
CREATE INDEX object_changes_by_age ON object_changes (changed_at);

-- What a trigger's operation is to an object.
CREATE FUNCTION change_by(operation text) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE operation WHEN 'INSERT' THEN 'created' WHEN 'DELETE' THEN 'deleted' ELSE 'updated' END
$$;

-- Of what belongs to a deployment, in services that have deployments. The arguments are the kind, and what the change is called where that is
-- not the operation. Where the deployment goes in the same statement, its own change says all.
CREATE FUNCTION record_change_in_deployment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  object record;
BEGIN
  IF TG_OP = 'DELETE' THEN object := OLD; ELSE object := NEW; END IF;
  INSERT INTO object_changes (kind, object_id, change, tenant_id, division_id, environment_id, deployment_id)
  SELECT TG_ARGV[0], object.id, coalesce(TG_ARGV[1], change_by(TG_OP)), tenant_id, division_id, environment_id, id
  FROM deployments WHERE id = object.deployment_id;
  RETURN NULL;
END $$;
