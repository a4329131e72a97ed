-- A region that takes no new deployments, as an operator has said (sluice-admin region): since when, and why.
ALTER TABLE regions ADD COLUMN drained_at timestamptz;
ALTER TABLE regions ADD COLUMN drain_reason text;
-- whether tenants with deployments there have the last change in their audit logs
ALTER TABLE regions ADD COLUMN drain_recorded boolean NOT NULL DEFAULT true;
