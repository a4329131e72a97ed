-- How people come into a tenant, and whom it may invite. Invitations read them; the tenant's configuration writes them.
ALTER TABLE tenants
  ADD COLUMN join_policy text NOT NULL DEFAULT 'invite_only'
    CHECK (join_policy IN ('invite_only', 'open', 'request_to_join')),
  ADD COLUMN block_external_invitations boolean NOT NULL DEFAULT false,
  ADD COLUMN enforce_domain_only_invitations boolean NOT NULL DEFAULT false;

CREATE TABLE invitations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants ON DELETE CASCADE,
  -- whoever has this address, verified by an identity provider, can accept
  email text NOT NULL,
  -- a pending one past its end is expired
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'accepted', 'rejected')),
  invited_by bigint NOT NULL REFERENCES users,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX invitations_by_tenant ON invitations (tenant_id, created_at);
CREATE INDEX invitations_by_email ON invitations (lower(email));

-- what an invitation gives to whoever accepts it
CREATE TABLE invitation_roles (
  invitation_id bigint NOT NULL REFERENCES invitations ON DELETE CASCADE,
  role_id bigint NOT NULL REFERENCES roles ON DELETE CASCADE,
  PRIMARY KEY (invitation_id, role_id)
);
CREATE INDEX invitation_roles_by_role ON invitation_roles (role_id);

CREATE INDEX member_roles_by_role ON member_roles (role_id);
CREATE INDEX api_keys_by_role ON api_keys (role_id);
CREATE INDEX api_keys_by_user ON api_keys (user_id, tenant_id);

-- the tokens that a key had before it was rotated, while they still work
CREATE TABLE former_tokens (
  token_sha256 text PRIMARY KEY,
  api_key_id bigint NOT NULL REFERENCES api_keys ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX former_tokens_by_key ON former_tokens (api_key_id);
