-- the release before does not mind: the triggers record, and change nothing
-- What deployments cost, in numbered lists. The first one is what the catalogue says when this release first starts.
CREATE TABLE price_lists (
  number int PRIMARY KEY CHECK (number > 0),
  terms jsonb NOT NULL,
  published_at timestamptz NOT NULL DEFAULT now()
);

-- From when a list is valid: for a tenant, or for all that have none of their own. The last one of those with the same time counts.
CREATE TABLE price_list_assignments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- null: all; no reference, since usage is kept beyond its tenant
  tenant_id bigint,
  -- null: for this tenant the list of all again
  list int REFERENCES price_lists,
  valid_from timestamptz NOT NULL CHECK (extract(epoch FROM valid_from) % 1 = 0),
  assigned_at timestamptz NOT NULL DEFAULT now(),
  -- whether tenants have it in their audit logs
  recorded boolean NOT NULL DEFAULT false,
  CHECK (list IS NOT NULL OR tenant_id IS NOT NULL),
  -- so long ahead that each replica and each region has it by then; but for the first one
  CHECK (valid_from >= assigned_at + interval '10 minutes' OR (list = 1 AND valid_from = 'epoch'))
);
CREATE INDEX price_list_assignments_by_list ON price_list_assignments (list);

CREATE FUNCTION refuse_change_of_prices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'price lists are never changed: publish another one';
END $$;
CREATE TRIGGER immutable BEFORE UPDATE OR DELETE ON price_lists FOR EACH ROW EXECUTE FUNCTION refuse_change_of_prices();
CREATE TRIGGER kept BEFORE TRUNCATE ON price_lists FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_prices();
CREATE TRIGGER immutable BEFORE DELETE ON price_list_assignments FOR EACH ROW EXECUTE FUNCTION refuse_change_of_prices();
CREATE TRIGGER unchanged BEFORE UPDATE ON price_list_assignments FOR EACH ROW
  WHEN ((OLD.id, OLD.tenant_id, OLD.list, OLD.valid_from, OLD.assigned_at)
    IS DISTINCT FROM (NEW.id, NEW.tenant_id, NEW.list, NEW.valid_from, NEW.assigned_at))
  EXECUTE FUNCTION refuse_change_of_prices();
CREATE TRIGGER kept BEFORE TRUNCATE ON price_list_assignments FOR EACH STATEMENT EXECUTE FUNCTION refuse_change_of_prices();

-- the newest assignment by which the region was sent the price of a deployment
ALTER TABLE deployments ADD COLUMN price_revision int NOT NULL DEFAULT 0;

-- the list of the price, and what else it depends on; null where a region of an older release has reported it
ALTER TABLE usage_intervals ADD COLUMN price_list int;
ALTER TABLE usage_intervals ADD COLUMN target_network_tput int;
ALTER TABLE usage_intervals ADD COLUMN availability_mode text;
ALTER TABLE usage_intervals ADD COLUMN telemetry_days int;

-- Which labels a deployment had, from when to when: later seconds of its usage have the new ones. Kept as usage is.
CREATE TABLE deployment_labels (
  deployment_uid uuid NOT NULL,
  valid_from timestamptz NOT NULL,
  valid_to timestamptz NOT NULL DEFAULT 'infinity',
  labels jsonb NOT NULL,
  PRIMARY KEY (deployment_uid, valid_from)
);
-- by a trigger, so that no release leaves a change out; the row of the deployment is locked, so clock_timestamp goes on
CREATE FUNCTION record_deployment_labels() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  since timestamptz := CASE TG_OP WHEN 'INSERT' THEN '-infinity' ELSE date_trunc('second', clock_timestamp()) END;
BEGIN
  UPDATE deployment_labels SET valid_to = since
  WHERE deployment_uid = NEW.uid AND valid_to = 'infinity' AND valid_from < since;
  INSERT INTO deployment_labels (deployment_uid, valid_from, labels) VALUES (NEW.uid, since, NEW.labels)
  ON CONFLICT (deployment_uid, valid_from) DO UPDATE SET labels = excluded.labels;
  RETURN NULL;
END $$;
CREATE TRIGGER record_labels AFTER INSERT ON deployments FOR EACH ROW EXECUTE FUNCTION record_deployment_labels();
CREATE TRIGGER record_changed_labels AFTER UPDATE ON deployments FOR EACH ROW
  WHEN (OLD.labels IS DISTINCT FROM NEW.labels) EXECUTE FUNCTION record_deployment_labels();
INSERT INTO deployment_labels (deployment_uid, valid_from, labels) SELECT uid, '-infinity', labels FROM deployments;

-- What a tenant expects a month to cost, of all of it or a part; it is only notified.
CREATE TABLE budgets (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants ON DELETE CASCADE,
  division_id bigint REFERENCES divisions ON DELETE CASCADE,
  environment_id bigint REFERENCES environments ON DELETE CASCADE,
  label_key text,
  label_value text,
  name text NOT NULL,
  -- US dollars
  amount numeric(12, 2) NOT NULL CHECK (amount > 0 AND amount <= 1000000000),
  -- the month (UTC) that was notified of, the highest percentage of it, and whether its forecast was
  notified_month timestamptz,
  notified_percent int NOT NULL DEFAULT 0,
  notified_forecast boolean NOT NULL DEFAULT false,
  -- when a replica looks at it next
  due_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CHECK (num_nonnulls(division_id, environment_id, label_key) <= 1 AND (label_key IS NULL) = (label_value IS NULL))
);
CREATE UNIQUE INDEX budgets_name ON budgets (tenant_id, lower(name));
CREATE INDEX budgets_listed ON budgets (tenant_id, created_at, id);
CREATE INDEX budgets_by_division ON budgets (division_id);
CREATE INDEX budgets_by_environment ON budgets (environment_id);
CREATE INDEX budgets_due ON budgets (due_at);

-- The statuses of deployments as main-api knows them, by which missing usage is found. By a trigger, as labels are.
CREATE TABLE deployment_statuses (
  deployment_uid uuid NOT NULL,
  changed_at timestamptz NOT NULL,
  status text NOT NULL,
  tier text NOT NULL,
  PRIMARY KEY (deployment_uid, changed_at)
);
CREATE INDEX deployment_statuses_by_time ON deployment_statuses (changed_at);
CREATE FUNCTION record_deployment_status() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  seen timestamptz := NEW.status_changed_at;
BEGIN
  -- main-api itself has changed the status
  IF TG_OP = 'UPDATE' AND NEW.status <> OLD.status AND seen IS NOT DISTINCT FROM OLD.status_changed_at THEN seen := NULL; END IF;
  INSERT INTO deployment_statuses (deployment_uid, changed_at, status, tier)
  VALUES (NEW.uid, coalesce(seen, clock_timestamp()), NEW.status, NEW.tier)
  ON CONFLICT (deployment_uid, changed_at) DO UPDATE SET status = excluded.status, tier = excluded.tier;
  RETURN NULL;
END $$;
CREATE TRIGGER record_status AFTER INSERT ON deployments FOR EACH ROW EXECUTE FUNCTION record_deployment_status();
CREATE TRIGGER record_changed_status AFTER UPDATE ON deployments FOR EACH ROW
  WHEN ((OLD.status, OLD.tier) IS DISTINCT FROM (NEW.status, NEW.tier)) EXECUTE FUNCTION record_deployment_status();
-- what a release without these intervals has counted is not charged: history begins now
INSERT INTO deployment_statuses (deployment_uid, changed_at, status, tier) SELECT uid, now(), status, tier FROM deployments;

-- The times in which deployments had one of these statuses, and no usage is stored.
CREATE FUNCTION usage_gaps(billable text[], since timestamptz, until timestamptz)
RETURNS TABLE (deployment_uid uuid, started_at timestamptz, ended_at timestamptz) LANGUAGE sql STABLE AS $$
  WITH statuses AS (
    SELECT s.deployment_uid, status, tier, changed_at,
      lead(changed_at, 1, until) OVER (PARTITION BY s.deployment_uid ORDER BY changed_at) AS next_at
    FROM deployment_statuses s),
  ran AS (
    SELECT statuses.deployment_uid, range_agg(tstzrange(greatest(changed_at, since), least(next_at, until))) AS times
    FROM statuses WHERE status = ANY (billable) AND tier <> 'free' AND changed_at < until AND next_at > since
    GROUP BY statuses.deployment_uid),
  used AS (
    SELECT b.uid, range_agg(tstzrange(u.started_at, u.ended_at)) AS times
    FROM billed_deployments b JOIN usage_intervals u ON u.billed_id = b.id
    WHERE u.started_at < until AND u.started_at > since - interval '32 days' AND u.ended_at > since GROUP BY b.uid)
  SELECT ran.deployment_uid, lower(gap), upper(gap)
  FROM ran LEFT JOIN used ON used.uid = ran.deployment_uid, unnest(ran.times - coalesce(used.times, '{}')) AS gap
  -- usage is of whole seconds
  WHERE upper(gap) - lower(gap) > interval '2 seconds'
$$;

-- usage of a deployment that an operator wants to have reported again
CREATE TABLE usage_requests (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  requested_at timestamptz NOT NULL DEFAULT now()
);
