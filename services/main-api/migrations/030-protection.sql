-- What is known of the one-time codes for one deletion. The codes themselves stand nowhere: each is computed from a
-- configured key, from what would be deleted, and from the instant at which it was issued.
CREATE TABLE protection_codes (
  -- what would be deleted is the innermost of these; its row goes with it
  tenant_id bigint NOT NULL REFERENCES tenants ON DELETE CASCADE,
  division_id bigint REFERENCES divisions ON DELETE CASCADE,
  environment_id bigint REFERENCES environments ON DELETE CASCADE,
  deployment_id bigint REFERENCES deployments ON DELETE CASCADE,
  -- of the newest code, the only one that is right; null: none was issued yet, or it is used
  issued_at timestamptz,
  -- when wrong codes were given of late
  wrong_at timestamptz[] NOT NULL DEFAULT '{}',
  -- until when no code is taken
  locked_until timestamptz,
  CONSTRAINT protection_codes_key UNIQUE NULLS NOT DISTINCT (tenant_id, division_id, environment_id, deployment_id)
);
CREATE INDEX protection_codes_by_division ON protection_codes (division_id) WHERE division_id IS NOT NULL;
CREATE INDEX protection_codes_by_environment ON protection_codes (environment_id) WHERE environment_id IS NOT NULL;
CREATE INDEX protection_codes_by_deployment ON protection_codes (deployment_id) WHERE deployment_id IS NOT NULL;
