CREATE TABLE divisions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants,
  name text NOT NULL,
  description text,
  email text,
  protected boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX divisions_name_key ON divisions (tenant_id, lower(name));

CREATE TABLE environments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants,
  division_id bigint NOT NULL REFERENCES divisions,
  name text NOT NULL,
  description text,
  protected boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX environments_name_key ON environments (division_id, lower(name));
CREATE INDEX environments_by_tenant ON environments (tenant_id);

CREATE TABLE api_keys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants,
  -- the only division that the key sees; null: it is a key of the whole tenant
  division_id bigint REFERENCES divisions,
  name text NOT NULL,
  -- 64 hex digits; the token itself is stored nowhere
  token_sha256 text NOT NULL CONSTRAINT api_keys_token_key UNIQUE,
  role_id bigint NOT NULL REFERENCES roles,
  user_id bigint NOT NULL REFERENCES users,
  validate_ip boolean NOT NULL DEFAULT false,
  allowed_ips text[] NOT NULL DEFAULT '{}',
  expiry_at timestamptz NOT NULL,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX api_keys_name_key ON api_keys (tenant_id, coalesce(division_id, 0), lower(name));
