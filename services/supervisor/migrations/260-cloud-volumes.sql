-- What is copied, or made, by a cloud takes long: nobody has the work in hands meanwhile.
ALTER TABLE volume_work ADD COLUMN rests_until timestamptz;
-- how often that was so: who has let go of it was not cut short
ALTER TABLE volume_work ADD COLUMN rests int NOT NULL DEFAULT 0;
-- where the copies are, once the deployment is gone: {byoc_driver, access, deployment, tenant_id}; null for the region's own
ALTER TABLE backups ADD COLUMN place jsonb;
