-- What connectors runtimes of the region's release have: [{"type": "sink", "key": "http"}].
ALTER TABLE regions ADD COLUMN plugins jsonb NOT NULL DEFAULT '[]';
