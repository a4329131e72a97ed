-- Which database this was when the service last looked. It is another one after a restore, and after a standby has taken over.
CREATE TABLE IF NOT EXISTS database_identity (
  -- the one row
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  identity text NOT NULL
);
-- when the service last found another database than before
ALTER TABLE database_identity ADD COLUMN IF NOT EXISTS restored_at timestamptz;
