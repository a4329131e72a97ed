-- The log of a deleted tenant stays, with the entry of its deletion, until then. Tenants can read it no more; whoever runs the
-- installation can, here.
ALTER TABLE deleted_tenants ADD COLUMN keep_until timestamptz NOT NULL DEFAULT now() + interval '365 days';
