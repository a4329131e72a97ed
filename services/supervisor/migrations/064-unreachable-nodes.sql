-- Since when a node's agent counts as silent; null while it is heard of. Found for all nodes by one look after the other, so
-- that what the supervisor has missed itself is nobody's silence.
ALTER TABLE nodes ADD COLUMN unreachable_since timestamptz;
CREATE INDEX nodes_unreachable ON nodes (id) WHERE unreachable_since IS NOT NULL;
-- Rows are written all the time, and no index names what changes in them: with room in its page a row's new version touches
-- nothing else.
ALTER TABLE nodes SET (fillfactor = 75);

-- The looks, in one row: the last one, and the first of those that came without a gap.
CREATE TABLE silence_looks (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  watched_since timestamptz NOT NULL,
  looked_at timestamptz NOT NULL
);
