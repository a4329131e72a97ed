-- the release before does not mind: the triggers notify, and change nothing
-- requests that wait for a deployment, or for what is in it, are woken, whichever release has changed it. Nodes are left out: their rows
-- change with every heartbeat, and what matters of them shows in the status and the conditions.
CREATE FUNCTION notify_deployment_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('deployment_changed', CASE TG_OP WHEN 'DELETE' THEN OLD.id ELSE NEW.id END::text);
  RETURN NULL;
END $$;
CREATE FUNCTION notify_change_of_deployment_part() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM pg_notify('deployment_changed', NEW.deployment_id::text);
  RETURN NULL;
END $$;
CREATE TRIGGER changed_deployment AFTER UPDATE ON deployments FOR EACH ROW
  WHEN ((OLD.status, OLD.status_reason, OLD.spec) IS DISTINCT FROM (NEW.status, NEW.status_reason, NEW.spec))
  EXECUTE FUNCTION notify_deployment_change();
CREATE TRIGGER deleted_deployment AFTER DELETE ON deployments FOR EACH ROW EXECUTE FUNCTION notify_deployment_change();
CREATE TRIGGER changed_condition AFTER INSERT OR UPDATE ON deployment_conditions FOR EACH ROW
  EXECUTE FUNCTION notify_change_of_deployment_part();
CREATE TRIGGER changed_task AFTER UPDATE ON tasks FOR EACH ROW EXECUTE FUNCTION notify_change_of_deployment_part();
CREATE TRIGGER changed_snapshot AFTER UPDATE OF completed_at ON snapshots FOR EACH ROW
  EXECUTE FUNCTION notify_change_of_deployment_part();
CREATE TRIGGER changed_backup AFTER UPDATE ON backups FOR EACH ROW
  WHEN (NEW.deployment_id IS NOT NULL) EXECUTE FUNCTION notify_change_of_deployment_part();
