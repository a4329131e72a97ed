-- since when this database knows all that has happened in the region: it was made then, or restored last; null: since ever
ALTER TABLE inventories ADD COLUMN known_since timestamptz;
INSERT INTO inventories (begun_at, known_since) SELECT 'epoch', now() WHERE NOT EXISTS (SELECT FROM deployments)
ON CONFLICT (one) DO NOTHING;
