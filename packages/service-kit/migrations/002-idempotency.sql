-- Requests sent with an Idempotency-Key, for as long as their answer is repeated. The answer is encrypted under a key
-- made from the caller's own token, which is stored nowhere.
CREATE TABLE idempotent_requests (
  tenant_id bigint NOT NULL,
  api_key_id bigint NOT NULL,
  key text NOT NULL,
  -- of method, path and body: the same key must not be used for another request
  fingerprint text NOT NULL,
  -- set in the transaction of the request's effect
  committed boolean NOT NULL DEFAULT false,
  answer text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, api_key_id, key)
);
CREATE INDEX idempotent_requests_by_age ON idempotent_requests (created_at);
