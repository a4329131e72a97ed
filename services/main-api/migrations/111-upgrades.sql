-- What deployments were upgraded and extended to, and how that ended. Until it has ended well, the deployment's own row says what it is.
CREATE TABLE deployment_upgrades (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  from_tier text NOT NULL,
  to_tier text NOT NULL,
  storage_type text NOT NULL,
  -- gigabytes; null for local storage
  from_storage_size integer,
  to_storage_size integer,
  nodes_before integer NOT NULL,
  nodes_after integer NOT NULL,
  -- pending, in_progress; completed, rolled_back, failed
  status text NOT NULL DEFAULT 'pending',
  reason text,
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- when it was completed
  upgraded_at timestamptz
);
CREATE UNIQUE INDEX deployment_upgrades_open ON deployment_upgrades (deployment_id)
  WHERE status IN ('pending', 'in_progress');
CREATE INDEX deployment_upgrades_by_deployment ON deployment_upgrades (deployment_id, requested_at);
