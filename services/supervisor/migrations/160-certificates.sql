-- Logins that were replaced and are still good.
CREATE TABLE former_credentials (
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  username text NOT NULL,
  sealed_password text NOT NULL,
  valid_to timestamptz NOT NULL,
  PRIMARY KEY (deployment_id, username)
);
CREATE INDEX former_credentials_by_end ON former_credentials (valid_to);

-- The region's own authorities, the newest one announced before it signs.
CREATE TABLE certificate_authorities (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  certificate text NOT NULL,
  sealed_key text NOT NULL,
  not_before timestamptz NOT NULL,
  not_after timestamptz NOT NULL,
  signs_from timestamptz NOT NULL
);

-- What deployments prove themselves by.
CREATE TABLE deployment_certificates (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  -- all null before the first
  certificate text,
  sealed_key text,
  authority text,
  server_name text,
  serial text,
  not_before timestamptz,
  not_after timestamptz,
  -- when the next one is to be obtained, how often in a row that has failed, and why
  due_at timestamptz NOT NULL,
  failures int NOT NULL DEFAULT 0,
  last_error text,
  -- on whose behalf, where somebody has asked for it
  requested_by jsonb,
  -- when people were told that this one ends
  warned_at timestamptz
);

-- Whether clients come without TLS unless a configuration says otherwise; those from before there were certificates do.
ALTER TABLE deployments ADD COLUMN plain_text boolean NOT NULL DEFAULT true;
