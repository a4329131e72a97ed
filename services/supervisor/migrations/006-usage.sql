-- for what the price that runs is: {price, tier, nodes, storage}; null while nothing runs, or where release 1.0.0 has set the price
ALTER TABLE deployment_spending ADD COLUMN billed jsonb;
-- the usage that goes on: since when, and until when it is reported
ALTER TABLE deployment_spending ADD COLUMN usage_from timestamptz;
ALTER TABLE deployment_spending ADD COLUMN usage_to timestamptz;

-- When deployments have run at one price, each within a month of the calendar (UTC). The last one of a deployment grows. Kept beyond
-- the deployment: main-api may have to be told again.
CREATE TABLE usage_intervals (
  deployment_uid uuid NOT NULL,
  started_at timestamptz NOT NULL,
  ended_at timestamptz NOT NULL CHECK (ended_at > started_at),
  deployment_id bigint NOT NULL,
  -- as in deployment_spending
  billed jsonb NOT NULL,
  PRIMARY KEY (deployment_uid, started_at)
);
CREATE INDEX usage_intervals_by_end ON usage_intervals (ended_at);
