-- The request that asked for an upgrade, to which its end belongs as well.
ALTER TABLE deployment_upgrades ADD COLUMN correlation_id uuid;
