-- While a grant is frozen its token is refused, whatever its content says: after a restore, until an operator has decided.
ALTER TABLE grants ADD COLUMN frozen boolean NOT NULL DEFAULT false;
-- Whether the bucket has had all that the restored database knows of it: what is missing there was removed then.
ALTER TABLE grant_bucket ADD COLUMN judges boolean NOT NULL DEFAULT true;
-- The newest event that was sent: what follows it in the stream was sent after the copy that the database was restored from.
ALTER TABLE grant_bucket ADD COLUMN sent jsonb;

-- What differs between the restored tables and newer evidence, and an operator has to decide: one row for each.
CREATE TABLE restore_differences (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  -- no reference: it may be one that the copy does not have
  tenant_id bigint,
  -- what it is known by, among those of its kind
  subject text NOT NULL,
  -- the next three are for people
  about text NOT NULL,
  person text,
  evidence text NOT NULL,
  -- what it takes to apply it
  detail jsonb NOT NULL,
  found_at timestamptz NOT NULL DEFAULT now(),
  decision text CHECK (decision IN ('apply', 'reject')),
  carried_out_at timestamptz,
  -- why the last decision could not be carried out: it is open again then
  failure text
);
CREATE UNIQUE INDEX restore_differences_open ON restore_differences (kind, subject) WHERE carried_out_at IS NULL;
CREATE INDEX restore_differences_over ON restore_differences (carried_out_at);
