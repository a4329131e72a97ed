ALTER TABLE nodes
  -- what heartbeats say of connectors, counts apart
  ADD COLUMN connectors jsonb;

-- Instances of connectors that no command brings back.
CREATE TABLE removed_connector_instances (
  id bigint PRIMARY KEY,
  deployment_id bigint NOT NULL,
  removed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX removed_connector_instances_by_end ON removed_connector_instances (removed_at);
