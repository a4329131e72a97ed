-- What was activated of the catalogue of connectors (interface, 2.13 and 4.10). The regions have the instances themselves.
CREATE TABLE connector_instances (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  connector_type text NOT NULL,
  connector_key text NOT NULL,
  name text NOT NULL,
  key text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  status_reason text,
  -- when the region has taken it in, or would not have it: from then on its key is free
  accepted_at timestamptz,
  refused_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX connector_instances_by_deployment ON connector_instances (deployment_id);
CREATE UNIQUE INDEX connector_instances_key ON connector_instances (deployment_id, key) WHERE refused_at IS NULL;
CREATE INDEX connector_instances_refused ON connector_instances (refused_at) WHERE refused_at IS NOT NULL;
