-- the release before does not mind: the triggers record what it changes, and refuse nothing
-- Which statuses a deployment has had, whichever release has changed them.
CREATE TABLE deployment_statuses (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  status text NOT NULL,
  -- the last one that was given while it lasted
  reason text,
  started_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE INDEX deployment_statuses_by_deployment ON deployment_statuses (deployment_id, id);
CREATE INDEX deployment_statuses_by_end ON deployment_statuses (ended_at) WHERE ended_at IS NOT NULL;

CREATE FUNCTION record_deployment_status() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  former deployment_statuses;
BEGIN
  SELECT * INTO former FROM deployment_statuses WHERE deployment_id = NEW.id ORDER BY id DESC LIMIT 1;
  IF former.status = NEW.status THEN
    UPDATE deployment_statuses SET reason = coalesce(NEW.status_reason, reason) WHERE id = former.id;
    RETURN NULL;
  END IF;
  -- clocks of replicas differ
  NEW.status_changed_at := greatest(NEW.status_changed_at, former.started_at);
  UPDATE deployment_statuses SET ended_at = NEW.status_changed_at WHERE id = former.id;
  INSERT INTO deployment_statuses (deployment_id, status, reason, started_at)
  VALUES (NEW.id, NEW.status, NEW.status_reason, NEW.status_changed_at);
  DELETE FROM deployment_statuses WHERE deployment_id = NEW.id AND id <= (
    SELECT id FROM deployment_statuses WHERE deployment_id = NEW.id ORDER BY id DESC OFFSET 1000 LIMIT 1);
  RETURN NULL;
END $$;
CREATE TRIGGER recorded_first_status AFTER INSERT ON deployments FOR EACH ROW EXECUTE FUNCTION record_deployment_status();
CREATE TRIGGER recorded_status AFTER UPDATE ON deployments FOR EACH ROW
  WHEN ((OLD.status, OLD.status_reason) IS DISTINCT FROM (NEW.status, NEW.status_reason))
  EXECUTE FUNCTION record_deployment_status();
-- after the triggers, which keep the deployments from being changed until this is committed
INSERT INTO deployment_statuses (deployment_id, status, reason, started_at)
SELECT id, status, status_reason, status_changed_at FROM deployments;

-- Since when a node's agent is heard of, or is not, and since when its broker has its status.
ALTER TABLE nodes
  ADD COLUMN connection_changed_at timestamptz NOT NULL DEFAULT now(),
  ADD COLUMN broker_changed_at timestamptz NOT NULL DEFAULT now();
CREATE FUNCTION time_node_change() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  broker CONSTANT jsonpath := '$[*] ? (@.runtime == "broker").status';
BEGIN
  IF (OLD.last_heartbeat_at IS NULL OR OLD.unreachable_since IS NOT NULL)
     <> (NEW.last_heartbeat_at IS NULL OR NEW.unreachable_since IS NOT NULL) THEN
    NEW.connection_changed_at := now();
  END IF;
  IF jsonb_path_query_first(OLD.runtimes, broker) IS DISTINCT FROM jsonb_path_query_first(NEW.runtimes, broker) THEN
    NEW.broker_changed_at := now();
  END IF;
  IF (OLD.connection_changed_at, OLD.broker_changed_at) <> (NEW.connection_changed_at, NEW.broker_changed_at) THEN
    PERFORM pg_notify('deployment_changed', NEW.deployment_id::text);
  END IF;
  RETURN NEW;
END $$;
CREATE TRIGGER timed_change BEFORE UPDATE ON nodes FOR EACH ROW
  WHEN (OLD.last_heartbeat_at IS NULL OR OLD.unreachable_since IS DISTINCT FROM NEW.unreachable_since
        OR OLD.runtimes IS DISTINCT FROM NEW.runtimes)
  EXECUTE FUNCTION time_node_change();
CREATE TRIGGER changed_access AFTER UPDATE ON deployments FOR EACH ROW
  WHEN (OLD.access_revision <> NEW.access_revision) EXECUTE FUNCTION notify_deployment_change();
