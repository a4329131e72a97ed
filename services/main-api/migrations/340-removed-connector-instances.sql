-- Connector instances that are deleted: an inventory of a region that was restored from an older copy does not bring them back.
CREATE TABLE removed_connector_instances (
  id bigint PRIMARY KEY,
  deployment_id bigint NOT NULL,
  removed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX removed_connector_instances_by_end ON removed_connector_instances (removed_at);
