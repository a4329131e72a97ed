-- what the deployment will be billed, in the order of the times: [{from, billed}]; null where release 1.0.0 has set the price
ALTER TABLE deployment_spending ADD COLUMN price_changes jsonb;
-- the month in which it was reported that the spend limit is near
ALTER TABLE deployment_spending ADD COLUMN warned_month timestamptz;
