-- What makes the nodes of a byoc deployment: such as `enrol`; null for what makes the region's own, which made those of former releases.
ALTER TABLE deployments ADD COLUMN byoc_driver text;
-- `token_anew`: the token may be used although an agent has enrolled, and that one is forgotten. `machine`: what an agent tells of a customer's
-- machine. `data_gone_at`: a machine without the node's data asked to be the node. `leaving_at`: the agent is to end and remove all of it.
ALTER TABLE nodes
  ADD COLUMN token_anew boolean NOT NULL DEFAULT false,
  ADD COLUMN machine jsonb,
  ADD COLUMN data_gone_at timestamptz,
  ADD COLUMN leaving_at timestamptz;
