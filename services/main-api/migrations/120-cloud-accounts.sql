-- The accounts that tenants have at the providers of clouds (interface, 2.9).
CREATE TABLE cloud_accounts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants ON DELETE CASCADE,
  cloud text NOT NULL,
  name text NOT NULL,
  -- as the provider names it
  account_id text NOT NULL,
  region text,
  status text NOT NULL DEFAULT 'active',
  validated_at timestamptz,
  -- encrypted: with the external id among them somebody else could have the role of the account assumed
  sealed_settings text,
  remarks text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX cloud_accounts_name_key ON cloud_accounts (tenant_id, lower(name));
