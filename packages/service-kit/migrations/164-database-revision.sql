-- Raised every few seconds, and recorded outside of the database: a database with a lower one than is recorded is an older copy.
-- Milliseconds since 1970 where the clock of the server has not gone back.
ALTER TABLE database_identity ADD COLUMN revision bigint NOT NULL DEFAULT 0;
