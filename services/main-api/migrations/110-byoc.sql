-- By what a role in a tenant's cloud account knows that Sluice acts for this tenant and for no other.
ALTER TABLE tenants ADD COLUMN external_id uuid NOT NULL DEFAULT gen_random_uuid();
-- How a region gets into the cloud account of the tenant; of byoc only.
ALTER TABLE deployments ADD COLUMN cloud_access jsonb;
