-- What deployments have cost since their month began. A deployment has a row from its first status on that costs something.
CREATE TABLE deployment_spending (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  -- its first moment, in UTC
  month timestamptz NOT NULL,
  -- counted until `metered_to`: price times seconds, which is exact; a cent is the seconds of 730 hours
  cent_seconds bigint NOT NULL,
  metered_to timestamptz NOT NULL,
  -- the price that runs since then; 0 while it does not run
  monthly_cents bigint NOT NULL,
  -- when its limit is reached if nothing changes, or is lifted; null: never
  due_at timestamptz,
  -- the month in which people were told last that the limit was reached
  told_month timestamptz
);
CREATE INDEX deployment_spending_due ON deployment_spending (due_at) WHERE due_at IS NOT NULL;

-- its brokers are stopped until then since its spend limit is reached, whatever people want of them
ALTER TABLE deployments ADD COLUMN limited_until timestamptz;
