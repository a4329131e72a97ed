-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS removed_deployments_by_time ON removed_deployments (removed_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS removed_uids_by_time ON removed_uids (removed_at);
