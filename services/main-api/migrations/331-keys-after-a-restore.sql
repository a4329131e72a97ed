-- What a key may do at most: set when a restored database would have given it back what was taken away since its copy.
ALTER TABLE api_keys ADD COLUMN limited_to jsonb;
-- The database was restored, and its grants have not been compared with those in NATS yet.
ALTER TABLE grant_bucket ADD COLUMN review boolean NOT NULL DEFAULT false;
