-- no transaction
-- the order of a tenant's list of all its deployments
CREATE INDEX CONCURRENTLY IF NOT EXISTS deployments_of_tenant_listed ON deployments (tenant_id, created_at, id);
