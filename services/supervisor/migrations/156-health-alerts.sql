-- What is, or was lately, wrong with a node or something that runs on it: a row for each thing that is beyond its threshold, until an alert
-- is resolved.
CREATE TABLE health_alerts (
  node_id bigint NOT NULL REFERENCES nodes ON DELETE CASCADE,
  -- cpu, memory, disk, unreachable
  kind text NOT NULL,
  -- agent, broker, connectors; node for the first three kinds
  runtime text NOT NULL,
  -- of a connector; 0: the runtime itself
  instance_id bigint NOT NULL,
  -- since when every sample has been beyond the threshold, or so far within it that all is well; null: the last one was not
  beyond_since timestamptz,
  within_since timestamptz,
  -- the last sample
  told_at timestamptz NOT NULL,
  value double precision,
  raised_at timestamptz,
  PRIMARY KEY (node_id, kind, runtime, instance_id)
);
