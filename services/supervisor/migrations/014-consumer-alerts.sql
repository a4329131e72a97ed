-- Consumers that lag, or did lately: a row for each threshold that the lag has reached, until the alert is resolved.
CREATE TABLE consumer_alerts (
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  stream text NOT NULL,
  consumer text NOT NULL,
  -- messages
  threshold bigint NOT NULL,
  -- since when each report has had the threshold, or at most half of it or no such consumer; null: the last one had not
  beyond_since timestamptz,
  within_since timestamptz,
  -- of the last report
  reported_at timestamptz NOT NULL,
  pending bigint NOT NULL,
  raised_at timestamptz,
  PRIMARY KEY (deployment_id, stream, consumer, threshold)
);
