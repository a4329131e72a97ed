-- The accounts of this region at public authorities, one per directory.
CREATE TABLE acme_accounts (
  directory_url text PRIMARY KEY,
  sealed_key text NOT NULL,
  -- how the authority calls it; null until it knows the key
  url text,
  -- as the authority was told
  contacts text[] NOT NULL DEFAULT '{}'
);

-- Orders that were begun and have not led to a certificate that is kept, one per deployment.
CREATE TABLE acme_orders (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  directory_url text NOT NULL,
  names text[] NOT NULL,
  -- of the certificate to be
  sealed_key text NOT NULL,
  -- null until the authority has answered
  url text,
  begun_at timestamptz NOT NULL,
  -- when its challenges were answered for the authority to look at; null before
  told_at timestamptz
);

-- DNS records that prove to an authority whose a name is. They outlive their deployment, until they are taken away.
CREATE TABLE acme_records (
  fqdn text NOT NULL,
  value text NOT NULL,
  deployment_id bigint NOT NULL,
  -- when the provider had confirmed it; null before
  set_at timestamptz,
  -- from when on nobody needs it; null as long as its order does
  unneeded_since timestamptz,
  -- when its removal is tried (again)
  remove_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (fqdn, value)
);
CREATE INDEX acme_records_by_deployment ON acme_records (deployment_id);
CREATE INDEX acme_records_by_removal ON acme_records (remove_at);

-- An authority that has said when it may be asked again is not asked before, whoever wants it.
ALTER TABLE deployment_certificates ADD COLUMN held_until timestamptz;
