-- The audit log: one row per event, written once. The service never updates or deletes a row.
--
-- References keep the name that a thing had at the time of the event; the thing itself may be renamed or gone.
CREATE TABLE entries (
  event_id uuid PRIMARY KEY,
  -- position in the stream of events: the order of what happened within one millisecond
  sequence bigint NOT NULL,
  tenant_id bigint NOT NULL,
  type text NOT NULL,
  author_id bigint,
  author_name text,
  user_id bigint,
  user_name text,
  division_id bigint,
  division_name text,
  environment_id bigint,
  environment_name text,
  deployment_id bigint,
  deployment_name text,
  api_key_id bigint,
  api_key_name text,
  data jsonb NOT NULL,
  correlation_id uuid,
  occurred_at timestamptz(3) NOT NULL
);

-- One index per filter of the Audit API. Each has the tenant and the filtered value first and then the order of the
-- list, so that a page is read off the index without sorting, however many entries there are. Further filters of the
-- same request are applied to the rows on the way. Events that have no such reference take no room in its index.
CREATE INDEX entries_by_time ON entries (tenant_id, occurred_at DESC, sequence DESC);
CREATE INDEX entries_by_type ON entries (tenant_id, type, occurred_at DESC, sequence DESC);
CREATE INDEX entries_by_author ON entries (tenant_id, author_id, occurred_at DESC, sequence DESC)
  WHERE author_id IS NOT NULL;
CREATE INDEX entries_by_user ON entries (tenant_id, user_id, occurred_at DESC, sequence DESC)
  WHERE user_id IS NOT NULL;
CREATE INDEX entries_by_division ON entries (tenant_id, division_id, occurred_at DESC, sequence DESC)
  WHERE division_id IS NOT NULL;
CREATE INDEX entries_by_environment ON entries (tenant_id, environment_id, occurred_at DESC, sequence DESC)
  WHERE environment_id IS NOT NULL;
CREATE INDEX entries_by_deployment ON entries (tenant_id, deployment_id, occurred_at DESC, sequence DESC)
  WHERE deployment_id IS NOT NULL;
-- a request causes a handful of events: sorting them is no work
CREATE INDEX entries_by_correlation ON entries (tenant_id, correlation_id) WHERE correlation_id IS NOT NULL;
