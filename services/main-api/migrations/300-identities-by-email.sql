-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS identities_by_email ON identities (lower(email));
