-- no transaction
-- Deployments that are on their way: few at any time, and looked through every half minute.
CREATE INDEX CONCURRENTLY IF NOT EXISTS deployments_transient ON deployments (updated_at)
  WHERE status IN ('creating', 'creating_subnet', 'securing_network', 'configuring_dns', 'configuring_certificates',
    'waiting_for_nodes', 'deploying_nodes', 'upgrading', 'extending', 'rolling_back');
