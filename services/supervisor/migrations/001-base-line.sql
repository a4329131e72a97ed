-- The supervisor's tables as release 1.0.0 has them. What comes later is a file of its own.
--
-- What is worked on by one replica at a time has `leased_until`, by this database's clock, and `fence`, which grows with each taking: what a
-- holder wants to store counts only while its fence is still the newest.

-- A deployment as main-api wants it, and how far the region has brought it.
CREATE TABLE deployments (
  id bigint PRIMARY KEY,
  -- An id says which deployment is meant only as long as main-api's database has not been restored from an older copy: then it may
  -- be given away again. The uid says it for good.
  uid uuid NOT NULL CONSTRAINT deployments_uid UNIQUE,
  -- since when main-api is known not to know this deployment; no report is about it from then on
  unknown_since timestamptz,
  -- desired: the newest generation that a command brought
  generation bigint NOT NULL,
  spec jsonb NOT NULL,
  tenant_id bigint NOT NULL GENERATED ALWAYS AS ((spec ->> 'tenant_id')::bigint) STORED,
  division_id bigint NOT NULL GENERATED ALWAYS AS ((spec -> 'division' ->> 'id')::bigint) STORED,
  environment_id bigint NOT NULL GENERATED ALWAYS AS ((spec -> 'environment' ->> 'id')::bigint) STORED,
  -- on whose behalf it was created; set once it is to be deleted, on whose behalf that is
  created_by jsonb NOT NULL,
  deleted_by jsonb,
  -- grows with each change of the desired state of the nodes' agents
  revision bigint NOT NULL DEFAULT 1,
  username text NOT NULL,
  sealed_password text NOT NULL,
  -- who may reach it: each change of its rules and its login has a revision, by which main-api keeps a copy
  access_revision bigint NOT NULL DEFAULT 1,
  -- after a restore of this database, until main-api has answered this question with its copy: no agent is sent a state until then
  access_question uuid,
  -- observed
  status text NOT NULL,
  status_reason text,
  status_version bigint NOT NULL DEFAULT 1,
  status_changed_at timestamptz NOT NULL,
  subnet cidr CONSTRAINT deployments_subnet UNIQUE,
  -- whether clients come without TLS unless a configuration says otherwise
  plain_text boolean NOT NULL DEFAULT false,
  -- what makes the nodes of a byoc deployment: such as `enrol`; null for what makes the region's own
  byoc_driver text,
  -- its brokers are stopped until then since its spend limit is reached
  limited_until timestamptz,
  -- the trace (W3C traceparent) of what has changed the deployment last, and when: the reconciler and the agents go on with it
  traceparent text,
  traced_at timestamptz
);
CREATE INDEX deployments_by_place ON deployments (tenant_id, division_id, environment_id);
CREATE INDEX deployments_unknown ON deployments (unknown_since) WHERE unknown_since IS NOT NULL;

-- What a deployment has reached, as Kubernetes has conditions: a type, whether it holds, why (a word in CamelCase for
-- programs, a message for people), and since when. A new type needs no migration.
CREATE TABLE deployment_conditions (
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  type text NOT NULL CHECK (type ~ '^[A-Z][A-Za-z0-9]*$'),
  status text NOT NULL CHECK (status IN ('True', 'False', 'Unknown')),
  reason text NOT NULL CHECK (reason ~ '^[A-Z][A-Za-z0-9]*$'),
  message text NOT NULL,
  -- when the status changed last; a new reason or message alone does not count
  changed_at timestamptz NOT NULL,
  PRIMARY KEY (deployment_id, type)
);

-- When the reconciler looks at a deployment again. Apart from the deployments since it changes all the time. While a lease runs, `due_at` is
-- its end, unless the deployment was woken meanwhile; so what a holder leaves behind is due by itself.
CREATE TABLE reconciliations (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  due_at timestamptz NOT NULL,
  failures int NOT NULL DEFAULT 0,
  last_error text,
  fence bigint NOT NULL DEFAULT 0,
  leased_by text,
  leased_until timestamptz,
  -- whether it took long the last time: such deployments share a part of the workers only
  slow boolean NOT NULL DEFAULT false,
  -- how long a deployment has been in its status while a supervisor was there to look after it, and since when that is counted: absence does
  -- not bring a deadline nearer
  active_seconds double precision NOT NULL DEFAULT 0,
  active_since timestamptz,
  active_at timestamptz,
  -- when a reason was last reported
  reported_at timestamptz
);
CREATE INDEX reconciliations_by_due_at ON reconciliations (due_at);

-- Deployments that are gone for good, or will be: a command that comes late finds them here.
CREATE TABLE removed_uids (
  uid uuid PRIMARY KEY,
  deployment_id bigint NOT NULL,
  requested_at timestamptz NOT NULL,
  removed_at timestamptz
);
CREATE INDEX removed_uids_by_deployment ON removed_uids (deployment_id);
CREATE INDEX removed_uids_by_time ON removed_uids (removed_at);

-- When the region last reported its inventory: its replicas take turns.
CREATE TABLE inventories (
  -- the one row
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  begun_at timestamptz NOT NULL
);

-- What commands have asked deployments to become. Kept for as long as the deployment, so that each is carried out once.
CREATE TABLE deployment_upgrades (
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  upgrade_id uuid NOT NULL,
  -- shapes up to this generation know nothing of it
  generation bigint NOT NULL,
  tier text NOT NULL,
  storage jsonb NOT NULL,
  resources jsonb NOT NULL,
  -- of an extension: how many nodes there shall be; null for one of tier or storage
  nodes_after integer,
  requested_by jsonb NOT NULL,
  requested_at timestamptz NOT NULL,
  -- pending, in_progress, rolling_back; completed, rolled_back, failed
  state text NOT NULL DEFAULT 'pending',
  reason text,
  PRIMARY KEY (deployment_id, upgrade_id)
);
-- those that have not ended, of which one at most has begun
CREATE INDEX deployment_upgrades_open ON deployment_upgrades (deployment_id)
  WHERE state IN ('pending', 'in_progress', 'rolling_back');
CREATE UNIQUE INDEX deployment_upgrades_begun ON deployment_upgrades (deployment_id)
  WHERE state IN ('in_progress', 'rolling_back');

-- Nodes.

-- Rows are written all the time, and no index names what changes in them: with room in its page a row's new version touches
-- nothing else.
CREATE TABLE nodes (
  id bigint PRIMARY KEY,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  name text NOT NULL,
  -- counts the nodes of a deployment from 0; decides the address in its subnet
  position int NOT NULL,
  -- enrolment: SHA-256 of the one-time token, and the key that was enrolled with it
  token_hash text CONSTRAINT nodes_token_hash UNIQUE,
  token_expires_at timestamptz,
  -- whether the token may be used although an agent has enrolled, and that one is forgotten
  token_anew boolean NOT NULL DEFAULT false,
  public_key jsonb,
  -- When a person took the key of the node's agent away, until another one is enrolled. An agent whose key is not known for another
  -- reason, such as a database that was restored, enrols again by itself.
  revoked_at timestamptz,
  -- what the agent last said
  applied_revision bigint NOT NULL DEFAULT 0,
  -- what its agent says has come of a revision
  applied jsonb,
  agent_version text,
  last_heartbeat_at timestamptz,
  -- Since when a node's agent counts as silent; null while it is heard of. Found for all nodes by one look after the other, so
  -- that what the supervisor has missed itself is no silence of a node.
  unreachable_since timestamptz,
  runtimes jsonb NOT NULL DEFAULT '[]',
  -- of connectors, counts apart
  connectors jsonb,
  -- how its broker is as one of a cluster
  cluster jsonb,
  statistics jsonb,
  -- of a customer's machine
  machine jsonb,
  -- where its gateway listens: ports alone, since the host is not for its agent to say
  ports jsonb,
  -- where clients reach it, for drivers that place it elsewhere than where its gateway listens: {host, ports: {broker_tcp, …}}
  address jsonb,
  -- a node that has been deployed has data; once all of it is gone the node is not made anew before a person says so
  deployed_at timestamptz,
  data_lost_at timestamptz,
  -- a machine without the node's data asked to be the node
  data_gone_at timestamptz,
  -- the agent is to end and remove all of it
  leaving_at timestamptz,
  -- the upgrade whose resources the node shall have already; null: those of the deployment
  upgrade_id uuid,
  -- whether a person wants it stopped
  broker_stopped boolean NOT NULL DEFAULT false,
  connectors_stopped boolean NOT NULL DEFAULT false,
  CONSTRAINT nodes_position UNIQUE (deployment_id, position)
) WITH (fillfactor = 75);
CREATE INDEX nodes_unreachable ON nodes (id) WHERE unreachable_since IS NOT NULL;

-- The looks for silent nodes, in one row: the last one, and the first of those that came without a gap.
CREATE TABLE silence_looks (
  only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
  watched_since timestamptz NOT NULL,
  looked_at timestamptz NOT NULL
);

-- Nodes that the compute driver has and no deployment: since when that is known. They are removed after a while.
CREATE TABLE orphaned_nodes (
  node_id bigint PRIMARY KEY,
  deployment_uid text,
  found_at timestamptz NOT NULL
);

-- What nodes are to do, and have done. A node does the tasks of one runtime in the order of the ids.
CREATE TABLE tasks (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  node_id bigint NOT NULL,
  -- the same for all tasks that were submitted together, one per node
  submission uuid NOT NULL,
  -- broker, connectors; start, stop, restart, reconfigure
  runtime text NOT NULL,
  action text NOT NULL,
  -- of a reconfiguration: what shall be in force, and what was
  config_id bigint,
  former_config_id bigint,
  -- of the others: whether the runtime was to be stopped before
  former_stopped boolean,
  -- queued, running; completed, failed, cancelled
  status text NOT NULL DEFAULT 'queued',
  -- what the node has reported: completed, failed; the task ends when all have reported on which it depends
  outcome text,
  error text,
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  deadline timestamptz NOT NULL,
  started_at timestamptz,
  -- the revision of the desired state that it came with
  revision bigint,
  finished_at timestamptz
);
CREATE INDEX tasks_by_deployment ON tasks (deployment_id, id);
CREATE INDEX tasks_open ON tasks (deployment_id, id) WHERE finished_at IS NULL;
CREATE INDEX tasks_by_end ON tasks (finished_at) WHERE finished_at IS NOT NULL;

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
  -- where its brokers listen for each other, in the desired state: [{node_id, port}]
  routes jsonb NOT NULL DEFAULT '[]',
  -- the node whose broker may be replaced by another process
  turn_node_id bigint,
  -- by which revision all nodes are asked how they are, once that node is back
  asked_revision bigint
);

-- Who may reach a deployment, and by what it proves itself.

CREATE TABLE access_rules (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  name text NOT NULL,
  remarks text,
  protocols text[] NOT NULL,
  cidr_blocks text[] NOT NULL,
  valid_to timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT access_rules_name UNIQUE (deployment_id, name)
);

-- Logins that were replaced and are still good.
CREATE TABLE former_credentials (
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  username text NOT NULL,
  sealed_password text NOT NULL,
  valid_to timestamptz NOT NULL,
  PRIMARY KEY (deployment_id, username)
);
CREATE INDEX former_credentials_by_end ON former_credentials (valid_to);

-- The region's own authorities, the newest one announced before it signs.
CREATE TABLE certificate_authorities (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  certificate text NOT NULL,
  sealed_key text NOT NULL,
  not_before timestamptz NOT NULL,
  not_after timestamptz NOT NULL,
  signs_from timestamptz NOT NULL
);

CREATE TABLE deployment_certificates (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  -- all null before the first
  certificate text,
  sealed_key text,
  authority text,
  server_name text,
  serial text,
  not_before timestamptz,
  not_after timestamptz,
  -- when the next one is to be obtained, how often in a row that has failed, and why
  due_at timestamptz NOT NULL,
  failures int NOT NULL DEFAULT 0,
  last_error text,
  -- an authority that has said when it may be asked again is not asked before
  held_until timestamptz,
  -- when the authority is asked (again) about the renewal of the certificate; null where it does not say
  ask_renewal_at timestamptz,
  -- on whose behalf, where a person has asked for it
  requested_by jsonb,
  -- when people were warned that this one ends
  warned_at timestamptz
);
CREATE INDEX deployment_certificates_by_renewal ON deployment_certificates (ask_renewal_at);

-- The accounts of this region at public authorities, one per directory.
CREATE TABLE acme_accounts (
  directory_url text PRIMARY KEY,
  sealed_key text NOT NULL,
  -- how the authority calls it; null until it knows the key
  url text,
  -- as the authority knows them
  contacts text[] NOT NULL DEFAULT '{}'
);

-- Orders that were begun and have not led to a certificate that is kept, one per deployment.
CREATE TABLE acme_orders (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  directory_url text NOT NULL,
  names text[] NOT NULL,
  -- of the certificate to be
  sealed_key text NOT NULL,
  -- null until the authority has answered
  url text,
  begun_at timestamptz NOT NULL,
  -- since when a replica is about to place the order, so that no other does; null when none is
  placing_since timestamptz,
  -- when its challenges were answered for the authority to look at; null before
  told_at timestamptz
);

-- DNS records that prove to an authority whose a name is. They outlive their deployment, until they are taken away.
CREATE TABLE acme_records (
  fqdn text NOT NULL,
  value text NOT NULL,
  deployment_id bigint NOT NULL,
  -- when the provider had confirmed it; null before
  set_at timestamptz,
  -- from when on it is not needed; null as long as its order is
  unneeded_since timestamptz,
  -- when its removal is tried (again)
  remove_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (fqdn, value)
);
CREATE INDEX acme_records_by_deployment ON acme_records (deployment_id);
CREATE INDEX acme_records_by_removal ON acme_records (remove_at);

-- The keys that brokers encrypt stored data with. The newest version of a deployment is in use; former ones open backups made with them.
CREATE TABLE encryption_keys (
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  version integer NOT NULL,
  sealed_key text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (deployment_id, version)
);

-- Networks.

-- The subnets of a range, listed some at a time as they are needed, and whose each is. One whose deployment is gone is free again.
CREATE TABLE subnets (
  subnet cidr PRIMARY KEY,
  deployment_id bigint CONSTRAINT subnets_deployment UNIQUE REFERENCES deployments ON DELETE SET NULL
);
CREATE INDEX subnets_free ON subnets (subnet) WHERE deployment_id IS NULL;

-- How many subnets of a range are listed, from its first one on.
CREATE TABLE subnet_ranges (
  range cidr PRIMARY KEY,
  listed bigint NOT NULL
);

-- The zone of the emulated network.
CREATE TABLE dns_records (
  domain text PRIMARY KEY,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  address text NOT NULL
);
CREATE INDEX dns_records_by_deployment ON dns_records (deployment_id);

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

-- Connectors and configurations.

-- The instances of connectors that deployments are to have. Their ids are main-api's.
CREATE TABLE connector_instances (
  id bigint PRIMARY KEY,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  connector_type text NOT NULL,
  connector_key text NOT NULL,
  name text NOT NULL,
  key text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  -- the cause of the activation
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT connector_instances_key UNIQUE (deployment_id, key)
);

-- Instances of connectors that no command brings back.
CREATE TABLE removed_connector_instances (
  id bigint PRIMARY KEY,
  deployment_id bigint NOT NULL,
  removed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX removed_connector_instances_by_end ON removed_connector_instances (removed_at);

-- What was reported to main-api last of a deployment's connectors.
CREATE TABLE connector_reports (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  version bigint NOT NULL,
  state text NOT NULL
);

-- Configurations that people have stored: names with versions. A kind is broker, or connector:{sink|source}:{key of the instance}.
CREATE TABLE config_names (
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  kind text NOT NULL,
  name text NOT NULL,
  -- of a connector's: the instance that it goes with
  instance_id bigint REFERENCES connector_instances ON DELETE CASCADE,
  -- no version comes again after its deletion
  last_version integer NOT NULL,
  PRIMARY KEY (deployment_id, kind, name)
);
CREATE INDEX config_names_by_instance ON config_names (instance_id);

CREATE TABLE configs (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id bigint NOT NULL,
  kind text NOT NULL,
  name text NOT NULL,
  version integer NOT NULL,
  -- JSON, encrypted
  sealed_values text NOT NULL,
  is_active boolean NOT NULL DEFAULT false,
  -- of the runtime that the values were found valid for; null when none had been reported
  runtime_version text,
  -- why nodes have refused it
  rejection text,
  rejected_at timestamptz,
  author_id bigint,
  created_at timestamptz NOT NULL,
  activated_at timestamptz,
  CONSTRAINT configs_version UNIQUE (deployment_id, kind, name, version),
  FOREIGN KEY (deployment_id, kind, name) REFERENCES config_names ON DELETE CASCADE
);
CREATE UNIQUE INDEX configs_active ON configs (deployment_id, kind) WHERE is_active;

-- What nodes are to run by, which for a broker is not always the active version.
CREATE TABLE configs_applied (
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  kind text NOT NULL,
  config_id bigint NOT NULL REFERENCES configs ON DELETE CASCADE,
  PRIMARY KEY (deployment_id, kind)
);
CREATE INDEX configs_applied_by_config ON configs_applied (config_id);

-- Telemetry: what nodes have measured and logged, in a partition for each day (UTC). Partitions are made ahead and dropped whole by the
-- supervisor. No foreign keys: a deployment's telemetry is deleted some at a time after the deployment is gone, and is not shown from then on.

-- As agents have sent it, for some days. `metrics`: numbers by name.
CREATE TABLE telemetry_samples (
  deployment_id bigint NOT NULL,
  at timestamptz NOT NULL,
  node_id bigint NOT NULL,
  runtime text NOT NULL,
  -- of a connector; 0: of the runtime itself
  instance_id bigint NOT NULL,
  status text,
  metrics jsonb NOT NULL
) PARTITION BY RANGE (at);
CREATE INDEX telemetry_samples_by_deployment ON telemetry_samples (deployment_id, at);

-- The same for each five minutes, and each hour, that begins at `at`. `metrics`: least, greatest, sum and number by name; `status`: the
-- last one.
CREATE TABLE telemetry_minutes (
  deployment_id bigint NOT NULL,
  at timestamptz NOT NULL,
  node_id bigint NOT NULL,
  runtime text NOT NULL,
  instance_id bigint NOT NULL,
  status text,
  samples int NOT NULL,
  metrics jsonb NOT NULL,
  PRIMARY KEY (deployment_id, at, node_id, runtime, instance_id)
) PARTITION BY RANGE (at);
CREATE TABLE telemetry_hours (
  deployment_id bigint NOT NULL,
  at timestamptz NOT NULL,
  node_id bigint NOT NULL,
  runtime text NOT NULL,
  instance_id bigint NOT NULL,
  status text,
  samples int NOT NULL,
  metrics jsonb NOT NULL,
  PRIMARY KEY (deployment_id, at, node_id, runtime, instance_id)
) PARTITION BY RANGE (at);

-- The five minutes of deployments that have to be summed up, again where samples came late.
CREATE TABLE telemetry_due (
  deployment_id bigint NOT NULL,
  at timestamptz NOT NULL,
  PRIMARY KEY (at, deployment_id)
);

-- ids grow with the order in which lines came, `at` is when they were written
CREATE SEQUENCE telemetry_line_ids;
CREATE TABLE telemetry_lines (
  id bigint NOT NULL DEFAULT nextval('telemetry_line_ids'),
  deployment_id bigint NOT NULL,
  at timestamptz NOT NULL,
  node_id bigint NOT NULL,
  runtime text NOT NULL,
  instance_id bigint NOT NULL,
  level text NOT NULL,
  message text NOT NULL
) PARTITION BY RANGE (at);
CREATE INDEX telemetry_lines_by_time ON telemetry_lines (deployment_id, at, id);
CREATE INDEX telemetry_lines_by_arrival ON telemetry_lines (deployment_id, id);

-- The last batch of each node, so that one that comes again is stored once; also, of which deployments there is telemetry.
CREATE TABLE telemetry_batches (
  node_id bigint PRIMARY KEY,
  deployment_id bigint NOT NULL,
  spool uuid NOT NULL,
  number bigint NOT NULL,
  taken_at timestamptz NOT NULL
) WITH (fillfactor = 75);

-- What is, or was lately, wrong with a node or something that runs on it: a row for each thing that is beyond its threshold, until an alert
-- is resolved.
CREATE TABLE health_alerts (
  node_id bigint NOT NULL REFERENCES nodes ON DELETE CASCADE,
  -- cpu, memory, disk, unreachable
  kind text NOT NULL,
  -- agent, broker, connectors; node for the first three kinds
  runtime text NOT NULL,
  -- of a connector; 0: the runtime itself
  instance_id bigint NOT NULL,
  -- since when every sample has been beyond the threshold, or so far within it that all is well; null: the last one was not
  beyond_since timestamptz,
  within_since timestamptz,
  -- the last sample
  reported_at timestamptz NOT NULL,
  value double precision,
  raised_at timestamptz,
  PRIMARY KEY (node_id, kind, runtime, instance_id)
);

-- Diagnostic reports, one row per node of a deployment.
CREATE TABLE snapshots (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  node_id bigint NOT NULL,
  -- the same for all nodes that were examined together, and the name of that
  submission uuid NOT NULL,
  name text NOT NULL,
  node_name text NOT NULL,
  redact_secrets boolean NOT NULL,
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  deadline timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- what the node has found, or why there is nothing of it
  findings jsonb,
  failure text,
  -- what the region knew of the node when it had finished
  seen jsonb,
  finished_at timestamptz,
  -- when all nodes that were examined together had finished
  completed_at timestamptz,
  -- the ZIP of a broker's data folder; null: not wanted; wanted, complete, failed
  archive text,
  -- the attempt that its pieces are of, how many there are, and their bytes
  archive_upload uuid,
  archive_pieces int NOT NULL DEFAULT 0,
  archive_bytes bigint NOT NULL DEFAULT 0
);
CREATE INDEX snapshots_by_deployment ON snapshots (deployment_id, id);
CREATE INDEX snapshots_open ON snapshots (deployment_id) WHERE completed_at IS NULL;
CREATE INDEX snapshots_by_end ON snapshots (expires_at);

CREATE TABLE snapshot_archive_pieces (
  snapshot_id bigint NOT NULL REFERENCES snapshots ON DELETE CASCADE,
  number int NOT NULL,
  content bytea NOT NULL,
  PRIMARY KEY (snapshot_id, number)
);
-- a ZIP is compressed already
ALTER TABLE snapshot_archive_pieces ALTER COLUMN content SET STORAGE EXTERNAL;

-- Backups.

-- Copies of what deployments have stored. One whose deployment is gone is removed with its files by the supervisor.
CREATE TABLE backups (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id bigint REFERENCES deployments ON DELETE SET NULL,
  name text NOT NULL,
  -- manual, scheduled, pre_upgrade
  backup_type text NOT NULL,
  -- whether the schedule has taken it; people may call theirs scheduled as well
  by_schedule boolean NOT NULL DEFAULT false,
  -- null: of every node
  node_id bigint,
  -- pending, in_progress; completed, failed; deleting
  status text NOT NULL DEFAULT 'pending',
  -- why it has failed
  error text,
  remarks text,
  -- what the volumes are copied to: [{node_id, volume_id, snapshot_id, digest, bytes}]; digest and bytes once they are known
  copies jsonb NOT NULL DEFAULT '[]',
  -- where the copies are, once the deployment is gone: {byoc_driver, access, deployment, tenant_id}; null for the region's own
  place jsonb,
  -- the upgrade that it was taken before
  upgrade_id uuid,
  created_by jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT clock_timestamp(),
  started_at timestamptz,
  completed_at timestamptz,
  expires_at timestamptz
);
CREATE INDEX backups_by_deployment ON backups (deployment_id, id);
-- those that are to be removed, or whose copies are
CREATE INDEX backups_unwanted ON backups (id)
  WHERE status = 'deleting' OR deployment_id IS NULL OR status = 'failed' AND copies <> '[]';
CREATE INDEX backups_by_expiry ON backups (expires_at) WHERE expires_at IS NOT NULL;

-- When backups are taken by themselves. `next_at`: null while that is switched off.
CREATE TABLE backup_schedules (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  enabled boolean NOT NULL,
  -- minute, hour, day of the month, month, day of the week, in UTC
  cron text NOT NULL,
  -- how many of its backups are kept
  keep int NOT NULL,
  next_at timestamptz
);
CREATE INDEX backup_schedules_due ON backup_schedules (next_at) WHERE next_at IS NOT NULL;

-- What is being done with the volumes of a deployment: one thing at a time. A replica does it under a lease.
CREATE TABLE volume_work (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  -- by which drivers recognise what belongs to it; never comes again
  run uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  -- backup, restore
  kind text NOT NULL,
  backup_id bigint NOT NULL REFERENCES backups ON DELETE CASCADE,
  -- what comes next
  step text NOT NULL,
  -- while brokers are stopped for it: [{node_id, stopped}], as it was wanted before
  former_states jsonb,
  -- the last revision of the work
  revision bigint,
  -- until when they have to have applied it
  deadline timestamptz,
  -- why what was done is taken back
  failure text,
  created_by jsonb NOT NULL,
  fence bigint NOT NULL DEFAULT 0,
  leased_until timestamptz,
  -- what is copied, or made, by a cloud takes long: no replica has the work in hands meanwhile
  next_attempt_at timestamptz,
  -- how often that was so: a replica that has let go of it was not cut short
  pauses int NOT NULL DEFAULT 0
);
CREATE INDEX volume_work_by_backup ON volume_work (backup_id);

-- What deployments have cost since their month began. A deployment has a row from its first status on that costs something.
CREATE TABLE deployment_spending (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  -- its first moment, in UTC
  month timestamptz NOT NULL,
  -- counted until `metered_to`: price times seconds, which is exact; a cent is the seconds of 730 hours
  cent_seconds bigint NOT NULL,
  metered_to timestamptz NOT NULL,
  -- the price that runs since then; 0 while it does not run
  monthly_cents bigint NOT NULL,
  -- when its limit is reached if nothing changes, or is lifted; null: never
  due_at timestamptz,
  -- the month in which the limit was last reported as reached
  reported_month timestamptz
);
CREATE INDEX deployment_spending_due ON deployment_spending (due_at) WHERE due_at IS NOT NULL;
