CREATE TABLE users (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_email_key ON users (lower(email));

CREATE TABLE tenants (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  description text,
  email text NOT NULL,
  protected boolean NOT NULL DEFAULT false,
  owner_id bigint NOT NULL REFERENCES users,
  -- what this tenant has instead of its plan's values, by the names of the features
  feature_overrides jsonb NOT NULL DEFAULT '{}',
  -- the corporate domain that was claimed when the tenant was founded
  email_domain text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE subscriptions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL UNIQUE REFERENCES tenants,
  plan text NOT NULL CHECK (plan IN ('basic', 'pro', 'enterprise')),
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE memberships (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants,
  user_id bigint NOT NULL REFERENCES users,
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, user_id)
);

CREATE TABLE roles (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants,
  kind text NOT NULL CHECK (kind IN ('system', 'custom', 'api_key')),
  name text NOT NULL,
  -- system roles say by their name what they grant, so that a release can change it for all tenants
  permissions jsonb CHECK ((permissions IS NULL) = (kind = 'system')),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
-- roles of kind api_key belong to one key each and are never chosen by their name
CREATE UNIQUE INDEX roles_name_key ON roles (tenant_id, lower(name)) WHERE kind <> 'api_key';

CREATE TABLE member_roles (
  membership_id bigint NOT NULL REFERENCES memberships,
  role_id bigint NOT NULL REFERENCES roles,
  PRIMARY KEY (membership_id, role_id)
);
