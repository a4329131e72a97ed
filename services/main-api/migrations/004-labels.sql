-- pairs of text by which clients find their things; what release 1.0.0 makes beside this one has none
ALTER TABLE divisions ADD COLUMN labels jsonb NOT NULL DEFAULT '{}';
ALTER TABLE environments ADD COLUMN labels jsonb NOT NULL DEFAULT '{}';
ALTER TABLE deployments ADD COLUMN labels jsonb NOT NULL DEFAULT '{}';
