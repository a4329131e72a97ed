-- What the connectors runtime of a deployment can do, as its region has said last.
CREATE TABLE connector_runtimes (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  version bigint NOT NULL,
  plugins jsonb NOT NULL
);
