-- A deployment as main-api wants it, and how far the region has brought it.
CREATE TABLE deployments (
  id bigint PRIMARY KEY,
  -- desired: the newest generation that a command brought
  generation bigint NOT NULL,
  shape jsonb NOT NULL,
  tenant_id bigint NOT NULL GENERATED ALWAYS AS ((shape ->> 'tenant_id')::bigint) STORED,
  division_id bigint NOT NULL GENERATED ALWAYS AS ((shape -> 'division' ->> 'id')::bigint) STORED,
  environment_id bigint NOT NULL GENERATED ALWAYS AS ((shape -> 'environment' ->> 'id')::bigint) STORED,
  -- on whose behalf it was created; set once it is to be deleted, on whose behalf that is
  created_by jsonb NOT NULL,
  deleted_by jsonb,
  -- grows with each change of what the nodes' agents are told
  revision bigint NOT NULL DEFAULT 1,
  username text NOT NULL,
  sealed_password text NOT NULL,
  -- observed
  status text NOT NULL,
  status_reason text,
  status_version bigint NOT NULL DEFAULT 1,
  status_changed_at timestamptz NOT NULL,
  subnet cidr CONSTRAINT deployments_subnet UNIQUE,
  network_secured_at timestamptz,
  dns_configured_at timestamptz,
  initialized_at timestamptz
);
CREATE INDEX deployments_by_place ON deployments (tenant_id, division_id, environment_id);

-- Deployments that are gone for good, or will be: a command that comes late finds them here.
CREATE TABLE removed_deployments (
  deployment_id bigint PRIMARY KEY,
  requested_at timestamptz NOT NULL,
  removed_at timestamptz
);

-- When the reconciler looks at a deployment again. Apart from the deployments since it changes all the time.
CREATE TABLE reconciliations (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  due_at timestamptz NOT NULL,
  failures int NOT NULL DEFAULT 0,
  last_error text
);
CREATE INDEX reconciliations_by_due_at ON reconciliations (due_at);

CREATE TABLE nodes (
  id bigint PRIMARY KEY,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  name text NOT NULL,
  -- counts the nodes of a deployment from 0; decides the address in its subnet
  position int NOT NULL,
  -- enrolment: SHA-256 of the one-time token, and the key that was enrolled with it
  token_hash text CONSTRAINT nodes_token_hash UNIQUE,
  token_expires_at timestamptz,
  public_key jsonb,
  -- what the agent last said
  applied_revision bigint NOT NULL DEFAULT 0,
  agent_version text,
  last_heartbeat_at timestamptz,
  runtimes jsonb NOT NULL DEFAULT '[]',
  endpoints jsonb,
  statistics jsonb,
  CONSTRAINT nodes_position UNIQUE (deployment_id, position)
);

CREATE TABLE access_rules (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  name text NOT NULL,
  remarks text,
  protocols text[] NOT NULL,
  cidr_blocks text[] NOT NULL,
  valid_to timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT access_rules_name UNIQUE (deployment_id, name)
);

-- The zone of the emulated network.
CREATE TABLE dns_records (
  domain text PRIMARY KEY,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  address text NOT NULL
);
CREATE INDEX dns_records_by_deployment ON dns_records (deployment_id);
