-- the regions whose supervisor has registered
CREATE TABLE regions (
  cloud text NOT NULL,
  region text NOT NULL,
  supervisor_url text NOT NULL,
  registered_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (cloud, region)
);

CREATE TABLE deployments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants,
  division_id bigint NOT NULL REFERENCES divisions,
  environment_id bigint NOT NULL REFERENCES environments,
  name text NOT NULL,
  code text NOT NULL CONSTRAINT deployments_code_key UNIQUE,
  domain text,
  description text,
  protected boolean NOT NULL,
  variant text NOT NULL,
  cloud text NOT NULL,
  region text NOT NULL,
  area text NOT NULL,
  tier text NOT NULL,
  cluster text NOT NULL,
  encrypted boolean NOT NULL,
  storage_type text NOT NULL,
  storage_size integer,
  telemetry_days integer NOT NULL,
  target_network_tput integer,
  availability_mode text NOT NULL,
  dedicated boolean NOT NULL,
  public_ip_enabled boolean NOT NULL,
  subdomain_enabled boolean NOT NULL,
  spend_limit numeric(14, 2),
  -- how often the shape was sent to the region
  generation integer NOT NULL DEFAULT 1,
  status text NOT NULL DEFAULT 'creating',
  status_reason text,
  -- the number of the newest status report that was taken in
  status_version integer NOT NULL DEFAULT 0,
  -- set once its deletion was asked for; from then on its status stays 'deleting'
  delete_requested_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT deployments_name_key UNIQUE (environment_id, name),
  FOREIGN KEY (cloud, region) REFERENCES regions
);
CREATE INDEX deployments_by_tenant ON deployments (tenant_id);
CREATE INDEX deployments_by_division ON deployments (division_id);

CREATE TABLE deployment_nodes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  name text NOT NULL,
  image_id text NOT NULL,
  instance text NOT NULL,
  storage_type text NOT NULL
);
CREATE INDEX deployment_nodes_by_deployment ON deployment_nodes (deployment_id);
