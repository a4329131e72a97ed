-- Replicas of release 0.1 put a deployment off for a minute whose status they do not know, and take no lease for that. So whoever has
-- none puts off no deployment in such a status: a replica that knows it has it at its next look.
CREATE FUNCTION keep_due_at() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (
    SELECT FROM deployments
    WHERE id = NEW.deployment_id AND status NOT IN (
      'creating', 'creating_subnet', 'securing_network', 'configuring_dns', 'waiting_for_nodes', 'deploying_nodes',
      'initialized', 'deleting')
  ) THEN
    NEW.due_at := OLD.due_at;
  END IF;
  RETURN NEW;
END $$;

-- a lease is taken with another fence, renewed and given back with another end
CREATE TRIGGER keep_due_at BEFORE UPDATE OF due_at ON reconciliations FOR EACH ROW
  WHEN (NEW.due_at > OLD.due_at AND NEW.fence = OLD.fence AND NEW.leased_until IS NOT DISTINCT FROM OLD.leased_until)
  EXECUTE FUNCTION keep_due_at();
