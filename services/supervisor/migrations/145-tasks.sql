-- What nodes are to do, and have done. A node does what it is told for one runtime in the order of the ids.
CREATE TABLE tasks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  node_id bigint NOT NULL,
  -- the same for all tasks that were submitted together, one per node
  submission uuid NOT NULL,
  -- broker, connectors; start, stop, restart, reconfigure
  runtime text NOT NULL,
  action text NOT NULL,
  -- of a reconfiguration: what shall be in force, and what was
  config_id bigint,
  former_config_id bigint,
  -- of the others: whether the runtime was to be stopped before
  former_stopped boolean,
  -- queued, running; completed, failed, cancelled
  status text NOT NULL DEFAULT 'queued',
  -- what the node has told: completed, failed; the task ends when all have told of whom it depends
  outcome text,
  error text,
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  deadline timestamptz NOT NULL,
  started_at timestamptz,
  -- the revision of the desired state in which its node was told
  revision bigint,
  finished_at timestamptz
);
CREATE INDEX tasks_by_deployment ON tasks (deployment_id, id);
CREATE INDEX tasks_open ON tasks (deployment_id, id) WHERE finished_at IS NULL;
CREATE INDEX tasks_by_end ON tasks (finished_at) WHERE finished_at IS NOT NULL;

ALTER TABLE nodes
  -- whether somebody wants it stopped
  ADD COLUMN broker_stopped boolean NOT NULL DEFAULT false,
  ADD COLUMN connectors_stopped boolean NOT NULL DEFAULT false;
