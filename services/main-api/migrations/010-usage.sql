-- What usage is of, with the names that it had last: kept beyond the deployment and its tenant, as invoices are.
CREATE TABLE billed_deployments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  uid uuid NOT NULL UNIQUE,
  deployment_id bigint NOT NULL,
  tenant_id bigint NOT NULL,
  division_id bigint NOT NULL,
  environment_id bigint NOT NULL,
  name text NOT NULL,
  division_name text NOT NULL,
  environment_name text NOT NULL,
  cloud text NOT NULL,
  region text NOT NULL
);
CREATE INDEX billed_deployments_by_tenant ON billed_deployments (tenant_id);

-- When deployments have run at one price, as their regions report it, each within a month of the calendar (UTC).
CREATE TABLE usage_intervals (
  billed_id bigint NOT NULL REFERENCES billed_deployments,
  started_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL CHECK (ended_at > started_at),
  -- US cents for a month of 730 hours
  compute bigint NOT NULL,
  storage bigint NOT NULL,
  network bigint NOT NULL,
  telemetry bigint NOT NULL,
  data_retention bigint NOT NULL,
  tier text NOT NULL,
  nodes int NOT NULL,
  storage_type text NOT NULL,
  -- gigabytes of each node; null where they cannot be chosen
  storage_size bigint,
  PRIMARY KEY (billed_id, started_at),
  -- no second is charged twice; a range of one number, since GiST knows no numbers
  CONSTRAINT usage_intervals_once EXCLUDE USING gist (
    int8range(billed_id, billed_id, '[]') WITH &&,
    tstzrange(started_at, ended_at) WITH &&
  )
);

-- until when a region has reported all usage; null: it has not said so yet
ALTER TABLE regions ADD COLUMN usage_to timestamptz;

-- when the region has seen the status that a deployment has; null where release 1.0.0 has stored it
ALTER TABLE deployments ADD COLUMN status_changed_at timestamptz;
