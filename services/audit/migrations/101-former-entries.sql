-- Entries that stand in the table of the release before and not in the log yet: at first all there are, then what replicas of that
-- release add. They are taken over in this order.
CREATE TABLE former_entries (
  tenant_id bigint NOT NULL,
  occurred_at timestamptz(3) NOT NULL,
  sequence bigint NOT NULL,
  event_id uuid NOT NULL,
  PRIMARY KEY (tenant_id, occurred_at, sequence, event_id)
);

CREATE FUNCTION remember_former_entry() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO former_entries VALUES (NEW.tenant_id, NEW.occurred_at, NEW.sequence, NEW.event_id);
  RETURN NULL;
END $$;

-- nobody adds an entry between the trigger and the copy
LOCK TABLE entries IN SHARE ROW EXCLUSIVE MODE;
-- the release before does not mind: what it adds is added, and noted
CREATE TRIGGER remembered AFTER INSERT ON entries FOR EACH ROW EXECUTE FUNCTION remember_former_entry();
INSERT INTO former_entries SELECT tenant_id, occurred_at, sequence, event_id FROM entries;
