-- The instances of connectors that deployments are to have. Their ids are main-api's.
CREATE TABLE connector_instances (
  id bigint PRIMARY KEY,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  connector_type text NOT NULL,
  connector_key text NOT NULL,
  name text NOT NULL,
  key text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  -- the cause of the activation
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT connector_instances_key UNIQUE (deployment_id, key)
);
