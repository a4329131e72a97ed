-- What main-api was told last of a deployment's connectors.
CREATE TABLE connectors_told (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  version bigint NOT NULL,
  state text NOT NULL
);
