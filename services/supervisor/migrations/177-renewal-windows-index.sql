-- no transaction
CREATE INDEX CONCURRENTLY IF NOT EXISTS deployment_certificates_by_renewal ON deployment_certificates (ask_renewal_at);
