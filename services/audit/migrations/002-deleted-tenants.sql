-- Tenants that are gone, and their entries with them: the one case in which rows of `entries` are deleted. An event of
-- theirs that is handled late finds its tenant here and is dropped; this is forgotten when none can come any more.
CREATE TABLE deleted_tenants (
  tenant_id bigint PRIMARY KEY,
  deleted_at timestamptz NOT NULL DEFAULT now()
);
