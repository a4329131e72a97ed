-- How many entries there are in each thousand of a tenant's log, in all and for each value that the Audit API filters by: so that what is
-- counted for a list are rows here and at most some thousand entries, however many there are.
CREATE TABLE log_counts (
  tenant_id bigint NOT NULL,
  -- `all`, or what is filtered by: `type`, `author`, …
  dimension text NOT NULL,
  value text NOT NULL,
  -- the first number of the thousand
  first_seq bigint NOT NULL,
  entries integer NOT NULL,
  -- when the first and the last of these happened
  oldest timestamptz(3) NOT NULL,
  newest timestamptz(3) NOT NULL,
  PRIMARY KEY (tenant_id, dimension, value, first_seq)
);

-- How far the log of a tenant has been counted: a multiple of 1,000.
CREATE TABLE log_counted (
  tenant_id bigint PRIMARY KEY,
  seq bigint NOT NULL
);
