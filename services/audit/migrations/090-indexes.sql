-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS deleted_tenants_by_end ON deleted_tenants (keep_until);
