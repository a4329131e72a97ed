-- Private ways to deployments: peerings, endpoint services and attachments, as they are wanted and as they were last seen.
-- They outlive their deployment until nothing of them is left at the cloud.
CREATE TABLE network_links (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- what the cloud's own resources are found by
  uid uuid NOT NULL DEFAULT gen_random_uuid(),
  deployment_id bigint NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  remarks text,
  wanted jsonb NOT NULL,
  -- what the cloud has said of it
  facts jsonb NOT NULL DEFAULT '{}',
  status text NOT NULL,
  status_reason text,
  status_since timestamptz NOT NULL DEFAULT now(),
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  -- set once it is to be deleted: on whose behalf that is
  deleted_by jsonb,
  -- when nothing was left of it
  deleted_at timestamptz,
  -- when it is looked at next, by whom it is at the moment, and what has failed
  due_at timestamptz NOT NULL DEFAULT now(),
  fence bigint NOT NULL DEFAULT 0,
  leased_until timestamptz,
  failures int NOT NULL DEFAULT 0
);
CREATE INDEX network_links_by_deployment ON network_links (deployment_id);
CREATE INDEX network_links_by_due_at ON network_links (due_at) WHERE deleted_at IS NULL;
CREATE INDEX network_links_by_deletion ON network_links (deleted_at);
-- the interface asks for names of their own of those that clients make endpoints for
CREATE UNIQUE INDEX network_links_name ON network_links (deployment_id, kind, name)
  WHERE deleted_at IS NULL AND kind IN ('cloud_a_service', 'cloud_b_attachment');

-- Who is connected to attachments.
CREATE TABLE attachment_connections (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  link_id bigint NOT NULL REFERENCES network_links ON DELETE CASCADE,
  connection_id text NOT NULL,
  consumer_project_id text NOT NULL,
  consumer_network text,
  consumer_forwarding_rule text,
  status text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT attachment_connections_id UNIQUE (link_id, connection_id)
);

-- The cloud of the emulated network, with what its customers do.
CREATE TABLE emulated_links (
  uid uuid PRIMARY KEY,
  -- how far it is: asked, accepted, rejected, failed or ready
  state text NOT NULL DEFAULT 'asked',
  -- what the other side does of itself: nothing, or it accepts or rejects
  peer text NOT NULL,
  -- endpoints of customers: [{connection_id, project, network, forwarding_rule, status?}]
  connections jsonb NOT NULL DEFAULT '[]',
  created_at timestamptz NOT NULL DEFAULT now()
);
