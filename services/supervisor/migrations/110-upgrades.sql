-- What commands have asked deployments to become. Kept for as long as the deployment, so that each is carried out once.
CREATE TABLE deployment_upgrades (
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  upgrade_id uuid NOT NULL,
  -- shapes up to this generation know nothing of it
  generation bigint NOT NULL,
  tier text NOT NULL,
  storage jsonb NOT NULL,
  resources jsonb NOT NULL,
  requested_by jsonb NOT NULL,
  requested_at timestamptz NOT NULL,
  -- pending, in_progress, rolling_back; completed, rolled_back, failed
  state text NOT NULL DEFAULT 'pending',
  reason text,
  PRIMARY KEY (deployment_id, upgrade_id)
);
-- those that have not ended, of which one at most has begun
CREATE INDEX deployment_upgrades_open ON deployment_upgrades (deployment_id)
  WHERE state IN ('pending', 'in_progress', 'rolling_back');
CREATE UNIQUE INDEX deployment_upgrades_begun ON deployment_upgrades (deployment_id)
  WHERE state IN ('in_progress', 'rolling_back');

ALTER TABLE nodes
  -- the upgrade whose resources the node shall have already; null: those of the deployment
  ADD COLUMN upgrade_id uuid,
  -- what its agent says has come of a revision
  ADD COLUMN applied jsonb;
