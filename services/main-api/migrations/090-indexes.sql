-- no transaction
-- What is looked for when it is over, ...
CREATE INDEX CONCURRENTLY IF NOT EXISTS sessions_ended ON sessions (least(idle_expires_at, expires_at));
CREATE INDEX CONCURRENTLY IF NOT EXISTS sign_in_intents_by_end ON sign_in_intents (expires_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS pending_sign_ins_by_end ON pending_sign_ins (expires_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS invitations_by_end ON invitations (expires_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS join_requests_decided ON join_requests (decided_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS protection_codes_by_age
  ON protection_codes (coalesce(greatest(issued_at, locked_until, wrong_at[cardinality(wrong_at)]), '-infinity'));
CREATE INDEX CONCURRENTLY IF NOT EXISTS former_tokens_by_end ON former_tokens (expires_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS api_keys_by_end ON api_keys (expiry_at);
-- ... what refers to something that may be deleted, ...
CREATE INDEX CONCURRENTLY IF NOT EXISTS sign_in_intents_by_user ON sign_in_intents (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS pending_sign_ins_by_user ON pending_sign_ins (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS invitations_by_inviter ON invitations (invited_by);
CREATE INDEX CONCURRENTLY IF NOT EXISTS join_requests_by_tenant ON join_requests (tenant_id, created_at);
CREATE INDEX CONCURRENTLY IF NOT EXISTS api_keys_by_division ON api_keys (division_id) WHERE division_id IS NOT NULL;
CREATE INDEX CONCURRENTLY IF NOT EXISTS roles_by_tenant ON roles (tenant_id);
CREATE INDEX CONCURRENTLY IF NOT EXISTS deployments_by_region ON deployments (cloud, region);
-- ... and the domains whose people no other tenant may invite.
CREATE INDEX CONCURRENTLY IF NOT EXISTS tenants_locked_domains ON tenants (lower(email_domain))
  WHERE block_external_invitations;
