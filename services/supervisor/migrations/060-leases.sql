-- Who is at work on a deployment, and until when, by this database's clock. `fence` grows with each taking: what a holder
-- wants to store counts only while it is still the newest. While a lease runs, `due_at` is its end, unless the
-- deployment was woken meanwhile; so whatever a holder leaves behind is due by itself.
ALTER TABLE reconciliations
  ADD COLUMN fence bigint NOT NULL DEFAULT 0,
  ADD COLUMN leased_by text,
  ADD COLUMN leased_until timestamptz,
  -- whether it took long the last time: such deployments share a part of the workers only
  ADD COLUMN slow boolean NOT NULL DEFAULT false;
