-- Nodes that the compute driver has and no deployment: since when that is known. They are removed after a while.
CREATE TABLE orphaned_nodes (
  node_id bigint PRIMARY KEY,
  deployment_uid text,
  found_at timestamptz NOT NULL
);

-- When a person took the key of the node's agent away, until another one is enrolled. An agent whose key is not known for another
-- reason, such as a database that was restored, enrols again by itself.
ALTER TABLE nodes ADD COLUMN revoked_at timestamptz;
