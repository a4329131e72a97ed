-- Whether the tenant has deleted the cloud account that a byoc deployment is in: it goes on, and is not made anew.
ALTER TABLE deployments ADD COLUMN cloud_account_deleted boolean NOT NULL DEFAULT false;
