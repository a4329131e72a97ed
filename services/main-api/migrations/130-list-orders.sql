-- no transaction
-- Lists show the newest first, with the id where times are equal: a page is read from the end of one of these. Invitations and
-- requests to join have theirs already.
CREATE INDEX CONCURRENTLY IF NOT EXISTS divisions_listed ON divisions (tenant_id, created_at, id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS environments_listed ON environments (division_id, created_at, id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS deployments_listed ON deployments (environment_id, created_at, id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS roles_listed ON roles (tenant_id, created_at, id) WHERE kind <> 'api_key';
CREATE INDEX CONCURRENTLY IF NOT EXISTS memberships_listed ON memberships (tenant_id, created_at, id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS api_keys_listed ON api_keys (tenant_id, created_at, id);
