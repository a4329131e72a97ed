-- the release before does not mind: the triggers notify, and change nothing
-- requests that wait for a deployment are woken, whichever release has changed it
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
-- updated_at is for changes of a status and of what people set
CREATE TRIGGER changed_deployment AFTER UPDATE ON deployments FOR EACH ROW
  WHEN (OLD.updated_at IS DISTINCT FROM NEW.updated_at) EXECUTE FUNCTION notify_deployment_change();
CREATE TRIGGER deleted_deployment AFTER DELETE ON deployments FOR EACH ROW EXECUTE FUNCTION notify_deployment_change();
CREATE TRIGGER changed_upgrade AFTER INSERT OR UPDATE ON deployment_upgrades FOR EACH ROW
  EXECUTE FUNCTION notify_change_of_deployment_part();
