-- How the nodes of a deployment that is a cluster find and trust each other, and whose turn to restart it is.
CREATE TABLE deployment_clusters (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  -- the login of its brokers among each other, and what they prove themselves by
  username text NOT NULL,
  sealed_password text NOT NULL,
  certificate text NOT NULL,
  sealed_key text NOT NULL,
  -- the authority that has signed that certificate and no other; its key is not kept
  authority text NOT NULL,
  -- the one before, until the next: nodes take up another certificate one by one
  former_authority text,
  not_before timestamptz NOT NULL,
  not_after timestamptz NOT NULL,
  -- where its brokers listen for each other, as agents are told: [{node_id, port}]
  routes jsonb NOT NULL DEFAULT '[]',
  -- the node whose broker may be replaced by another process
  turn_node_id bigint,
  -- by which revision all nodes are asked how they are, once that node is back
  asked_revision bigint
);
ALTER TABLE nodes
  -- how its broker is as one of a cluster, as its agent says
  ADD COLUMN cluster jsonb;
ALTER TABLE deployment_upgrades
  -- of an extension: how many nodes there shall be; null for one of tier or storage
  ADD COLUMN nodes_after integer;
