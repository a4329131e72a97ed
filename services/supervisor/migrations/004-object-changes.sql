-- the release before does not mind: the triggers record, and change nothing
-- Each change of what clients read is recorded by triggers, so that no handler, job or older release leaves one out. Nodes are left out, as
-- in 002: their rows change with every heartbeat.
CREATE FUNCTION record_change_of_deployment() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  object record;
BEGIN
  IF TG_OP = 'DELETE' THEN object := OLD; ELSE object := NEW; END IF;
  INSERT INTO object_changes (kind, object_id, change, tenant_id, division_id, environment_id, deployment_id)
  VALUES (TG_ARGV[0], CASE TG_ARGV[0] WHEN 'deployment' THEN object.id END, change_by(TG_OP), object.tenant_id,
    object.division_id, object.environment_id, object.id);
  RETURN NULL;
END $$;

-- Of what a deployment has one of, or is shown as part of it.
CREATE FUNCTION record_change_of_part() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  object record;
BEGIN
  IF TG_OP = 'DELETE' THEN object := OLD; ELSE object := NEW; END IF;
  INSERT INTO object_changes (kind, object_id, change, tenant_id, division_id, environment_id, deployment_id)
  SELECT TG_ARGV[0], CASE TG_ARGV[0] WHEN 'deployment' THEN id END, 'updated', tenant_id, division_id, environment_id, id
  FROM deployments WHERE id = object.deployment_id;
  RETURN NULL;
END $$;

CREATE TRIGGER record_creation_or_deletion AFTER INSERT OR DELETE ON deployments FOR EACH ROW
  EXECUTE FUNCTION record_change_of_deployment('deployment');
CREATE TRIGGER record_change AFTER UPDATE ON deployments FOR EACH ROW
  WHEN ((OLD.status, OLD.status_reason, OLD.spec) IS DISTINCT FROM (NEW.status, NEW.status_reason, NEW.spec))
  EXECUTE FUNCTION record_change_of_deployment('deployment');
CREATE TRIGGER record_change_of_credentials AFTER UPDATE ON deployments FOR EACH ROW
  WHEN (OLD.username IS DISTINCT FROM NEW.username)
  EXECUTE FUNCTION record_change_of_deployment('credentials');
CREATE TRIGGER record_creation AFTER INSERT ON deployment_conditions FOR EACH ROW
  EXECUTE FUNCTION record_change_of_part('deployment');
CREATE TRIGGER record_change AFTER UPDATE ON deployment_conditions FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_change_of_part('deployment');
CREATE TRIGGER record_change AFTER UPDATE ON deployment_certificates FOR EACH ROW
  WHEN ((OLD.serial, OLD.last_error) IS DISTINCT FROM (NEW.serial, NEW.last_error))
  EXECUTE FUNCTION record_change_of_part('certificate');
CREATE TRIGGER record_creation_or_deletion AFTER INSERT OR DELETE ON backup_schedules FOR EACH ROW
  EXECUTE FUNCTION record_change_of_part('backup_schedule');
CREATE TRIGGER record_change AFTER UPDATE ON backup_schedules FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_change_of_part('backup_schedule');

CREATE TRIGGER record_creation AFTER INSERT ON tasks FOR EACH ROW EXECUTE FUNCTION record_change_in_deployment('task');
CREATE TRIGGER record_change AFTER UPDATE ON tasks FOR EACH ROW
  WHEN ((OLD.status, OLD.error) IS DISTINCT FROM (NEW.status, NEW.error)) EXECUTE FUNCTION record_change_in_deployment('task');
CREATE TRIGGER record_creation_or_deletion AFTER INSERT OR DELETE ON backups FOR EACH ROW
  EXECUTE FUNCTION record_change_in_deployment('backup');
CREATE TRIGGER record_change AFTER UPDATE ON backups FOR EACH ROW
  WHEN (NEW.deployment_id IS NOT NULL AND OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_change_in_deployment('backup');
CREATE TRIGGER record_creation_or_deletion AFTER INSERT OR DELETE ON snapshots FOR EACH ROW
  EXECUTE FUNCTION record_change_in_deployment('snapshot');
CREATE TRIGGER record_change AFTER UPDATE ON snapshots FOR EACH ROW
  WHEN ((OLD.finished_at, OLD.completed_at, OLD.failure) IS DISTINCT FROM (NEW.finished_at, NEW.completed_at, NEW.failure))
  EXECUTE FUNCTION record_change_in_deployment('snapshot');
CREATE TRIGGER record_change AFTER INSERT OR UPDATE OR DELETE ON access_rules FOR EACH ROW
  EXECUTE FUNCTION record_change_in_deployment('access_rule');
CREATE TRIGGER record_creation_or_deletion AFTER INSERT OR DELETE ON configs FOR EACH ROW
  EXECUTE FUNCTION record_change_in_deployment('config');
CREATE TRIGGER record_change AFTER UPDATE ON configs FOR EACH ROW
  WHEN ((OLD.is_active, OLD.rejection, OLD.activated_at) IS DISTINCT FROM (NEW.is_active, NEW.rejection, NEW.activated_at))
  EXECUTE FUNCTION record_change_in_deployment('config');
CREATE TRIGGER record_creation_or_deletion AFTER INSERT OR DELETE ON connector_instances FOR EACH ROW
  EXECUTE FUNCTION record_change_in_deployment('connector');
CREATE TRIGGER record_change AFTER UPDATE ON connector_instances FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_change_in_deployment('connector');
CREATE TRIGGER record_creation AFTER INSERT ON network_links FOR EACH ROW
  EXECUTE FUNCTION record_change_in_deployment('network_link');
-- when it is looked at next is none of its clients'
CREATE TRIGGER record_change AFTER UPDATE ON network_links FOR EACH ROW
  WHEN (NEW.deleted_at IS NULL AND (OLD.name, OLD.remarks, OLD.wanted, OLD.facts, OLD.status, OLD.status_reason)
    IS DISTINCT FROM (NEW.name, NEW.remarks, NEW.wanted, NEW.facts, NEW.status, NEW.status_reason))
  EXECUTE FUNCTION record_change_in_deployment('network_link');
CREATE TRIGGER record_deletion AFTER UPDATE ON network_links FOR EACH ROW
  WHEN (OLD.deleted_at IS NULL AND NEW.deleted_at IS NOT NULL)
  EXECUTE FUNCTION record_change_in_deployment('network_link', 'deleted');
