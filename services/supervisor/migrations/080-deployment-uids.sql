-- An id says which deployment is meant only as long as main-api's database has not been restored from an older copy: then it may
-- be given away again. The uid says it for good. Absent where no release has said it that knows of it: the code of the shape,
-- which is the deployment's own as well, stands in for it.
ALTER TABLE deployments
  ADD COLUMN uid uuid CONSTRAINT deployments_uid UNIQUE,
  -- since when main-api is known not to know this deployment; nobody is told of it from then on
  ADD COLUMN unknown_since timestamptz;

-- Tombstones of deployments whose uid is known; `removed_deployments` has those of the others.
CREATE TABLE removed_uids (
  uid uuid PRIMARY KEY,
  deployment_id bigint NOT NULL,
  requested_at timestamptz NOT NULL,
  removed_at timestamptz
);
CREATE INDEX removed_uids_by_deployment ON removed_uids (deployment_id);
