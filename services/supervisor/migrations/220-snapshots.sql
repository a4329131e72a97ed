-- Diagnostic reports, one row per node of a deployment.
CREATE TABLE snapshots (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  node_id bigint NOT NULL,
  -- the same for all nodes that were examined together, and the name of that
  submission uuid NOT NULL,
  name text NOT NULL,
  node_name text NOT NULL,
  redact_secrets boolean NOT NULL,
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  deadline timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- what the node has told, or why there is nothing of it
  findings jsonb,
  failure text,
  -- what the region knew of the node when it had finished
  seen jsonb,
  finished_at timestamptz,
  -- when all nodes that were examined together had finished
  completed_at timestamptz
);
CREATE INDEX snapshots_by_deployment ON snapshots (deployment_id, id);
CREATE INDEX snapshots_open ON snapshots (deployment_id) WHERE completed_at IS NULL;
CREATE INDEX snapshots_by_end ON snapshots (expires_at);
