-- The subnets of a range, listed some at a time as they are needed, and whose each is. One whose deployment is gone is free again.
-- `deployments.subnet` stays what counts: a supervisor of the former version takes one without a word here.
CREATE TABLE subnets (
  subnet cidr PRIMARY KEY,
  deployment_id bigint CONSTRAINT subnets_deployment UNIQUE REFERENCES deployments ON DELETE SET NULL
);
CREATE INDEX subnets_free ON subnets (subnet) WHERE deployment_id IS NULL;

-- How many subnets of a range are listed, from its first one on.
CREATE TABLE subnet_ranges (
  range cidr PRIMARY KEY,
  listed bigint NOT NULL
);
