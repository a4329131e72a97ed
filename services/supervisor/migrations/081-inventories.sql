-- When the region last told main-api what it has: its replicas take turns.
CREATE TABLE inventories (
  -- the one row
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  begun_at timestamptz NOT NULL
);

CREATE INDEX deployments_unknown ON deployments (unknown_since) WHERE unknown_since IS NOT NULL;
