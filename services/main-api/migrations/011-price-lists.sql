-- What deployments cost, in numbered lists. The first one is what the catalogue says when this release first starts.
CREATE TABLE price_lists (
  number int PRIMARY KEY CHECK (number > 0),
  terms jsonb NOT NULL,
  published_at timestamptz NOT NULL DEFAULT now()
);

-- From when a list is valid: for a tenant, or for all that have none of their own. The last one of those with the same time counts.
CREATE TABLE price_list_assignments (
  id int GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
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
