-- Whether nodes of a deployment can be one cluster in a region, as its supervisor says.
ALTER TABLE regions ADD COLUMN clusters boolean NOT NULL DEFAULT false;
