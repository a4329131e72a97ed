-- the options of a deployment that have no column of their own: those that came after release 1.0.0
ALTER TABLE deployments ADD COLUMN options jsonb NOT NULL DEFAULT '{}';
