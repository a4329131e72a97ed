-- no transaction
-- the deployments whose regions lack the price that is announced
CREATE INDEX CONCURRENTLY IF NOT EXISTS deployments_by_price_revision ON deployments (price_revision);
