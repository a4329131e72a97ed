-- Configurations that people have stored: names with versions. A kind is broker, or connector:{sink|source}:{key of the instance}.
CREATE TABLE config_names (
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  kind text NOT NULL,
  name text NOT NULL,
  -- of a connector's: the instance that it goes with
  instance_id bigint REFERENCES connector_instances ON DELETE CASCADE,
  -- no version comes again after its deletion
  last_version integer NOT NULL,
  PRIMARY KEY (deployment_id, kind, name)
);
CREATE INDEX config_names_by_instance ON config_names (instance_id);

CREATE TABLE configs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id bigint NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  version integer NOT NULL,
  -- JSON, encrypted
  sealed_values text NOT NULL,
  is_primary boolean NOT NULL DEFAULT false,
  -- of the runtime that the values were found valid for; null when none had been reported
  runtime_version text,
  author_id bigint,
  created_at timestamptz NOT NULL,
  activated_at timestamptz,
  CONSTRAINT configs_version UNIQUE (deployment_id, kind, name, version),
  FOREIGN KEY (deployment_id, kind, name) REFERENCES config_names ON DELETE CASCADE
);
CREATE UNIQUE INDEX configs_primary ON configs (deployment_id, kind) WHERE is_primary;

-- What nodes are told, which for a broker is not always what is primary.
CREATE TABLE configs_in_force (
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  kind text NOT NULL,
  config_id bigint NOT NULL REFERENCES configs ON DELETE CASCADE,
  PRIMARY KEY (deployment_id, kind)
);
CREATE INDEX configs_in_force_by_config ON configs_in_force (config_id);
