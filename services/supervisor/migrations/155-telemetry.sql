-- What nodes have measured and logged, in a partition for each day (UTC). Partitions are made ahead and dropped whole by the supervisor.
-- No foreign keys: a deployment's telemetry is deleted some at a time after the deployment is gone, and is not shown from then on.

-- As agents have told it, for some days. `metrics`: numbers by name.
CREATE TABLE telemetry_samples (
  deployment_id bigint NOT NULL,
  at timestamptz NOT NULL,
  node_id bigint NOT NULL,
  runtime text NOT NULL,
  -- of a connector; 0: what is told is of the runtime itself
  instance_id bigint NOT NULL,
  status text,
  metrics jsonb NOT NULL
) PARTITION BY RANGE (at);
CREATE INDEX telemetry_samples_by_deployment ON telemetry_samples (deployment_id, at);

-- The same for each five minutes, and each hour, that begins at `at`. `metrics`: least, greatest, sum and number by name; `status`: the
-- last one.
CREATE TABLE telemetry_minutes (
  deployment_id bigint NOT NULL,
  at timestamptz NOT NULL,
  node_id bigint NOT NULL,
  runtime text NOT NULL,
  instance_id bigint NOT NULL,
  status text,
  samples int NOT NULL,
  metrics jsonb NOT NULL,
  PRIMARY KEY (deployment_id, at, node_id, runtime, instance_id)
) PARTITION BY RANGE (at);
CREATE TABLE telemetry_hours (
  deployment_id bigint NOT NULL,
  at timestamptz NOT NULL,
  node_id bigint NOT NULL,
  runtime text NOT NULL,
  instance_id bigint NOT NULL,
  status text,
  samples int NOT NULL,
  metrics jsonb NOT NULL,
  PRIMARY KEY (deployment_id, at, node_id, runtime, instance_id)
) PARTITION BY RANGE (at);

-- The five minutes of deployments that have to be summed up, again where samples came late.
CREATE TABLE telemetry_due (
  deployment_id bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (at, deployment_id)
);

-- ids grow with the order in which lines came, `at` is when they were written
CREATE SEQUENCE telemetry_line_ids;
CREATE TABLE telemetry_lines (
  id bigint NOT NULL DEFAULT nextval('telemetry_line_ids'),
  deployment_id bigint NOT NULL,
  at timestamptz NOT NULL,
  node_id bigint NOT NULL,
  runtime text NOT NULL,
  instance_id bigint NOT NULL,
  level text NOT NULL,
  message text NOT NULL
) PARTITION BY RANGE (at);
CREATE INDEX telemetry_lines_by_time ON telemetry_lines (deployment_id, at, id);
CREATE INDEX telemetry_lines_by_arrival ON telemetry_lines (deployment_id, id);

-- The last batch of each node, so that one that comes again is stored once; also, of which deployments there is telemetry.
CREATE TABLE telemetry_batches (
  node_id bigint PRIMARY KEY,
  deployment_id bigint NOT NULL,
  spool uuid NOT NULL,
  number bigint NOT NULL,
  taken_at timestamptz NOT NULL
) WITH (fillfactor = 75);
