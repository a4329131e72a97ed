-- What tells a deployment from all others for good. An id may be given away again when this database is restored from an
-- older copy, while the region still has the deployment that had it.
ALTER TABLE deployments ADD COLUMN uid uuid NOT NULL DEFAULT gen_random_uuid()
  CONSTRAINT deployments_uid UNIQUE;

-- Deployments that are gone: a region that is restored from an older copy still has them, and is told to delete them again.
CREATE TABLE removed_deployments (
  uid uuid PRIMARY KEY,
  deployment_id bigint NOT NULL,
  removed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX removed_deployments_by_time ON removed_deployments (removed_at);
