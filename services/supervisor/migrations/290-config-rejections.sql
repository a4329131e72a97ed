-- Why nodes have refused a version of a configuration.
ALTER TABLE configs ADD COLUMN rejection text, ADD COLUMN rejected_at timestamptz;
