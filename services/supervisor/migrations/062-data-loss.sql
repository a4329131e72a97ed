-- A node that has been deployed has data. Once all of it is gone the node is not made anew before a person says so.
ALTER TABLE nodes
  ADD COLUMN deployed_at timestamptz,
  ADD COLUMN data_lost_at timestamptz;
