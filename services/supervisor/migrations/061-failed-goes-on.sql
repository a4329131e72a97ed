-- How long a deployment has been in its status while a supervisor was there to look after it, and since when that is counted: absence does
-- not bring a deadline nearer. `told_at`: when people were last told why a step is tried again.
ALTER TABLE reconciliations
  ADD COLUMN active_seconds double precision NOT NULL DEFAULT 0,
  ADD COLUMN active_since timestamptz,
  ADD COLUMN active_at timestamptz,
  ADD COLUMN told_at timestamptz;
