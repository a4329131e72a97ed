-- no transaction
-- what runs, longest unsettled first
CREATE INDEX CONCURRENTLY IF NOT EXISTS deployment_spending_running ON deployment_spending (metered_to) WHERE monthly_cents > 0;
