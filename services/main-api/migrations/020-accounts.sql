ALTER TABLE users
  -- tenants owned and memberships held, at most
  ADD COLUMN tenants_limit integer NOT NULL DEFAULT 3,
  ADD COLUMN memberships_limit integer NOT NULL DEFAULT 10,
  ADD COLUMN default_tenant_id bigint REFERENCES tenants ON DELETE SET NULL,
  ADD COLUMN default_division_id bigint REFERENCES divisions ON DELETE SET NULL;
CREATE INDEX users_by_default_tenant ON users (default_tenant_id);
CREATE INDEX users_by_default_division ON users (default_division_id);

ALTER TABLE tenants ADD COLUMN IF NOT EXISTS email_domain_verified_at timestamptz;
CREATE UNIQUE INDEX tenants_email_domain_key ON tenants (email_domain) WHERE email_domain IS NOT NULL;
CREATE INDEX tenants_by_owner ON tenants (owner_id);
CREATE INDEX memberships_by_user ON memberships (user_id);

-- who an identity provider says that somebody is
CREATE TABLE identities (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users,
  source text NOT NULL,
  subject text NOT NULL,
  email text,
  -- the domain that the user claims for a tenant: verified by a provider that is not a public one
  corporate_domain text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT identities_subject_key UNIQUE (source, subject)
);
CREATE INDEX identities_by_user ON identities (user_id);

-- a sign-in that was begun; nonce and PKCE verifier are made from the secret in the browser's cookie
CREATE TABLE sign_in_intents (
  state_sha256 text PRIMARY KEY,
  source text NOT NULL,
  expires_at timestamptz NOT NULL
);

-- somebody whom a provider has vouched for and who has neither signed in nor up yet
CREATE TABLE pending_sign_ins (
  token_sha256 text PRIMARY KEY,
  source text NOT NULL,
  subject text NOT NULL,
  name text,
  email text,
  email_verified boolean NOT NULL,
  corporate_domain text,
  expires_at timestamptz NOT NULL
);

CREATE TABLE sessions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users,
  source text NOT NULL,
  -- 64 hex digits; the token itself is stored nowhere
  token_sha256 text NOT NULL CONSTRAINT sessions_token_key UNIQUE,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  idle_expires_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id);

-- made by the join policy request_to_join
CREATE TABLE join_requests (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES users,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
  created_at timestamptz NOT NULL DEFAULT now(),
  decided_at timestamptz
);
CREATE UNIQUE INDEX join_requests_pending_key ON join_requests (tenant_id, user_id) WHERE status = 'pending';
CREATE INDEX join_requests_by_user ON join_requests (user_id);
