-- the release before does not mind: the triggers record, and change nothing
-- Each change of what clients read is recorded by triggers, so that no handler, job or older release leaves one out.
-- The argument is the kind; the id, and the place, are columns of the row.
CREATE FUNCTION record_change_in_tenant() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  object record;
BEGIN
  IF TG_OP = 'DELETE' THEN object := OLD; ELSE object := NEW; END IF;
  INSERT INTO object_changes (kind, object_id, change, tenant_id)
  VALUES (TG_ARGV[0], object.id, change_by(TG_OP), object.tenant_id);
  RETURN NULL;
END $$;

-- of the tenant's, or of one division's
CREATE FUNCTION record_change_in_division() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  object record;
BEGIN
  IF TG_OP = 'DELETE' THEN object := OLD; ELSE object := NEW; END IF;
  INSERT INTO object_changes (kind, object_id, change, tenant_id, division_id)
  VALUES (TG_ARGV[0], object.id, change_by(TG_OP), object.tenant_id, object.division_id);
  RETURN NULL;
END $$;

-- of what has places of its own: a tenant, its plan, a division, an environment, a deployment
CREATE FUNCTION record_change_of_place() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  object record;
  place object_changes;
BEGIN
  IF TG_OP = 'DELETE' THEN object := OLD; ELSE object := NEW; END IF;
  place.object_id := object.id;
  CASE TG_ARGV[0]
    WHEN 'tenant' THEN
      place.tenant_id := object.id;
    WHEN 'plan' THEN
      place.object_id := NULL;
      place.tenant_id := object.tenant_id;
    WHEN 'division' THEN
      place.tenant_id := object.tenant_id;
      place.division_id := object.id;
    WHEN 'environment' THEN
      place.tenant_id := object.tenant_id;
      place.division_id := object.division_id;
      place.environment_id := object.id;
    WHEN 'deployment' THEN
      place.tenant_id := object.tenant_id;
      place.division_id := object.division_id;
      place.environment_id := object.environment_id;
      place.deployment_id := object.id;
  END CASE;
  INSERT INTO object_changes (kind, object_id, change, tenant_id, division_id, environment_id, deployment_id)
  VALUES (TG_ARGV[0], place.object_id, change_by(TG_OP), place.tenant_id, place.division_id, place.environment_id,
    place.deployment_id);
  RETURN NULL;
END $$;

-- of what is shown as part of something else
CREATE FUNCTION record_change_of_part() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  object record;
BEGIN
  IF TG_OP = 'DELETE' THEN object := OLD; ELSE object := NEW; END IF;
  CASE TG_TABLE_NAME
    WHEN 'deployment_upgrades' THEN
      INSERT INTO object_changes (kind, object_id, change, tenant_id, division_id, environment_id, deployment_id)
      SELECT 'deployment', id, 'updated', tenant_id, division_id, environment_id, id
      FROM deployments WHERE id = object.deployment_id;
    WHEN 'memberships' THEN
      INSERT INTO object_changes (kind, object_id, change, tenant_id)
      VALUES ('member', object.user_id, change_by(TG_OP), object.tenant_id);
    WHEN 'member_roles' THEN
      INSERT INTO object_changes (kind, object_id, change, tenant_id)
      SELECT 'member', user_id, 'updated', tenant_id FROM memberships WHERE id = object.membership_id;
    WHEN 'users' THEN
      INSERT INTO object_changes (kind, object_id, change, tenant_id)
      SELECT 'member', user_id, 'updated', tenant_id FROM memberships WHERE user_id = object.id;
    WHEN 'roles' THEN
      INSERT INTO object_changes (kind, object_id, change, tenant_id, division_id)
      SELECT 'api_key', id, 'updated', tenant_id, division_id FROM api_keys WHERE role_id = object.id;
    WHEN 'channel_subscriptions' THEN
      INSERT INTO object_changes (kind, object_id, change, tenant_id, division_id)
      SELECT 'channel', id, 'updated', tenant_id, division_id FROM channels WHERE id = object.channel_id;
  END CASE;
  RETURN NULL;
END $$;

CREATE TRIGGER record_creation_or_deletion AFTER INSERT OR DELETE ON tenants FOR EACH ROW
  EXECUTE FUNCTION record_change_of_place('tenant');
CREATE TRIGGER record_change AFTER UPDATE ON tenants FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_change_of_place('tenant');
-- what other services were sent of it is none of its clients'
CREATE TRIGGER record_change AFTER UPDATE ON subscriptions FOR EACH ROW
  WHEN ((OLD.plan, OLD.active) IS DISTINCT FROM (NEW.plan, NEW.active)) EXECUTE FUNCTION record_change_of_place('plan');
CREATE TRIGGER record_creation_or_deletion AFTER INSERT OR DELETE ON divisions FOR EACH ROW
  EXECUTE FUNCTION record_change_of_place('division');
CREATE TRIGGER record_change AFTER UPDATE ON divisions FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_change_of_place('division');
CREATE TRIGGER record_creation_or_deletion AFTER INSERT OR DELETE ON environments FOR EACH ROW
  EXECUTE FUNCTION record_change_of_place('environment');
CREATE TRIGGER record_change AFTER UPDATE ON environments FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_change_of_place('environment');
CREATE TRIGGER record_creation_or_deletion AFTER INSERT OR DELETE ON deployments FOR EACH ROW
  EXECUTE FUNCTION record_change_of_place('deployment');
-- updated_at is for changes of a status and of what people set
CREATE TRIGGER record_change AFTER UPDATE ON deployments FOR EACH ROW
  WHEN (OLD.updated_at IS DISTINCT FROM NEW.updated_at) EXECUTE FUNCTION record_change_of_place('deployment');
CREATE TRIGGER record_change AFTER INSERT OR UPDATE ON deployment_upgrades FOR EACH ROW
  EXECUTE FUNCTION record_change_of_part();
CREATE TRIGGER record_creation_or_deletion AFTER INSERT OR DELETE ON connector_instances FOR EACH ROW
  EXECUTE FUNCTION record_change_in_deployment('connector');
CREATE TRIGGER record_change AFTER UPDATE ON connector_instances FOR EACH ROW
  WHEN (OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_change_in_deployment('connector');

CREATE TRIGGER record_change AFTER INSERT OR UPDATE OR DELETE ON memberships FOR EACH ROW
  EXECUTE FUNCTION record_change_of_part();
CREATE TRIGGER record_change AFTER INSERT OR DELETE ON member_roles FOR EACH ROW
  EXECUTE FUNCTION record_change_of_part();
CREATE TRIGGER record_change AFTER UPDATE ON users FOR EACH ROW
  WHEN ((OLD.name, OLD.email) IS DISTINCT FROM (NEW.name, NEW.email)) EXECUTE FUNCTION record_change_of_part();
CREATE TRIGGER record_creation AFTER INSERT ON roles FOR EACH ROW
  WHEN (NEW.kind <> 'api_key') EXECUTE FUNCTION record_change_in_tenant('role');
CREATE TRIGGER record_deletion AFTER DELETE ON roles FOR EACH ROW
  WHEN (OLD.kind <> 'api_key') EXECUTE FUNCTION record_change_in_tenant('role');
CREATE TRIGGER record_change AFTER UPDATE ON roles FOR EACH ROW
  WHEN (NEW.kind <> 'api_key' AND OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_change_in_tenant('role');
CREATE TRIGGER record_change_of_key AFTER UPDATE ON roles FOR EACH ROW
  WHEN (NEW.kind = 'api_key' AND OLD.* IS DISTINCT FROM NEW.*) EXECUTE FUNCTION record_change_of_part();
CREATE TRIGGER record_creation_or_deletion AFTER INSERT OR DELETE ON api_keys FOR EACH ROW
  EXECUTE FUNCTION record_change_in_division('api_key');
-- its use changes all the time
CREATE TRIGGER record_change AFTER UPDATE ON api_keys FOR EACH ROW
  WHEN ((OLD.name, OLD.token_sha256, OLD.role_id, OLD.user_id, OLD.validate_ip, OLD.allowed_ips, OLD.limited_to, OLD.expiry_at)
    IS DISTINCT FROM (NEW.name, NEW.token_sha256, NEW.role_id, NEW.user_id, NEW.validate_ip, NEW.allowed_ips, NEW.limited_to,
      NEW.expiry_at))
  EXECUTE FUNCTION record_change_in_division('api_key');
CREATE TRIGGER record_change AFTER INSERT OR UPDATE OR DELETE ON invitations FOR EACH ROW
  EXECUTE FUNCTION record_change_in_tenant('invitation');
CREATE TRIGGER record_change AFTER INSERT OR UPDATE OR DELETE ON join_requests FOR EACH ROW
  EXECUTE FUNCTION record_change_in_tenant('join_request');
CREATE TRIGGER record_change AFTER INSERT OR UPDATE OR DELETE ON cloud_accounts FOR EACH ROW
  EXECUTE FUNCTION record_change_in_tenant('cloud_account');
CREATE TRIGGER record_change AFTER INSERT OR UPDATE OR DELETE ON channels FOR EACH ROW
  EXECUTE FUNCTION record_change_in_division('channel');
CREATE TRIGGER record_change AFTER INSERT OR UPDATE OR DELETE ON channel_subscriptions FOR EACH ROW
  EXECUTE FUNCTION record_change_of_part();
