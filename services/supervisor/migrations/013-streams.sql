-- What the nodes' brokers hold, as their agents have reported it last. Rows go with the node that has reported them.
CREATE TABLE stream_reports (
  node_id bigint PRIMARY KEY REFERENCES nodes ON DELETE CASCADE,
  deployment_id bigint NOT NULL,
  reported_at timestamptz NOT NULL,
  -- how many there are, whether or not all are stored
  streams_total int NOT NULL,
  consumers_total int NOT NULL
);
CREATE INDEX stream_reports_by_deployment ON stream_reports (deployment_id);

CREATE TABLE broker_streams (
  deployment_id bigint NOT NULL,
  name text NOT NULL,
  node_id bigint NOT NULL REFERENCES nodes ON DELETE CASCADE,
  -- the report that had it last
  report uuid NOT NULL,
  reported_at timestamptz NOT NULL,
  -- a `ReportedStream` of the agents' API
  held jsonb NOT NULL,
  PRIMARY KEY (deployment_id, name)
);
CREATE INDEX broker_streams_by_node ON broker_streams (node_id);

CREATE TABLE broker_consumers (
  deployment_id bigint NOT NULL,
  stream text NOT NULL,
  name text NOT NULL,
  node_id bigint NOT NULL REFERENCES nodes ON DELETE CASCADE,
  report uuid NOT NULL,
  reported_at timestamptz NOT NULL,
  -- a `ReportedConsumer`
  held jsonb NOT NULL,
  PRIMARY KEY (deployment_id, stream, name)
);
CREATE INDEX broker_consumers_by_node ON broker_consumers (node_id);

-- The lag of consumers in the minute, and in the hour, that begins at `at`. Partitioned by day, like telemetry_samples.
CREATE TABLE consumer_minutes (
  deployment_id bigint NOT NULL,
  at timestamptz NOT NULL,
  stream text NOT NULL,
  consumer text NOT NULL,
  pending_min bigint NOT NULL,
  pending_max bigint NOT NULL,
  pending_sum numeric NOT NULL,
  samples int NOT NULL,
  PRIMARY KEY (deployment_id, stream, consumer, at)
) PARTITION BY RANGE (at);
CREATE INDEX consumer_minutes_by_deployment ON consumer_minutes (deployment_id, at);
CREATE TABLE consumer_hours (
  deployment_id bigint NOT NULL,
  at timestamptz NOT NULL,
  stream text NOT NULL,
  consumer text NOT NULL,
  pending_min bigint NOT NULL,
  pending_max bigint NOT NULL,
  pending_sum numeric NOT NULL,
  samples int NOT NULL,
  PRIMARY KEY (deployment_id, stream, consumer, at)
) PARTITION BY RANGE (at);
CREATE INDEX consumer_hours_by_deployment ON consumer_hours (deployment_id, at);
