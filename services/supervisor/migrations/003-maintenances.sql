-- Work on machines that an operator plans (sluice-admin maintenance). Tenants get notice, and brokers are stopped meanwhile.
CREATE TABLE maintenances (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- as tenants read it
  reason text,
  starts_at timestamptz NOT NULL,
  -- how long it is expected to take; what could not begin until then is cancelled
  minutes int NOT NULL,
  -- what the operator has said since: end, cancel
  decision text,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  finished_at timestamptz
);
CREATE INDEX maintenances_by_end ON maintenances (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX maintenances_open ON maintenances (id) WHERE finished_at IS NULL;

-- One node of a deployment at a time: the others of a cluster go on.
CREATE TABLE maintenance_nodes (
  maintenance_id bigint NOT NULL REFERENCES maintenances ON DELETE CASCADE,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  node_id bigint NOT NULL,
  -- new: not announced yet; planned, stopping, stopped, starting; ended, cancelled
  status text NOT NULL DEFAULT 'new',
  -- what holds it up, as people read it
  waits_for text,
  -- what was to be stopped before: {"broker": false, "connectors": false}
  former jsonb,
  -- by which revision the node learns of the change
  revision bigint,
  looked_at timestamptz,
  finished_at timestamptz,
  PRIMARY KEY (maintenance_id, deployment_id)
);
CREATE INDEX maintenance_nodes_by_deployment ON maintenance_nodes (deployment_id);
-- a node is planned for once
CREATE UNIQUE INDEX maintenance_nodes_once ON maintenance_nodes (node_id) WHERE finished_at IS NULL;
CREATE INDEX maintenance_nodes_open ON maintenance_nodes (looked_at) WHERE finished_at IS NULL;
