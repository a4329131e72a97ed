-- Which database this was when main-api last looked: another one, now that it was restored from a copy.
CREATE TABLE IF NOT EXISTS database_identity (
  -- the one row
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  identity text NOT NULL
);
