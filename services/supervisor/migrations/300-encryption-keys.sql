-- The keys that brokers encrypt stored data with. The newest version of a deployment is in use; former ones open backups made with them.
CREATE TABLE encryption_keys (
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  version integer NOT NULL,
  sealed_key text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (deployment_id, version)
);
