-- main-api's tables as release 1.0.0 has them. What comes later is a file of its own.
--
-- Indexes whose name ends in `_listed` are in the order of a list: the newest first, with the id where times are equal.

-- Accounts of people.

CREATE TABLE users (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  -- tenants owned and memberships held, at most
  tenants_limit integer NOT NULL DEFAULT 3,
  memberships_limit integer NOT NULL DEFAULT 10,
  -- their foreign keys are below, since tenants refer to users as well
  default_tenant_id bigint,
  default_division_id bigint,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX users_email_key ON users (lower(email));
CREATE INDEX users_by_default_tenant ON users (default_tenant_id);
CREATE INDEX users_by_default_division ON users (default_division_id);

-- The account of a user at an identity provider.
CREATE TABLE identities (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users,
  source text NOT NULL,
  subject text NOT NULL,
  email text,
  -- the domain that the user claims for a tenant: verified by a provider that is not a public one
  corporate_domain text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT identities_subject_key UNIQUE (source, subject)
);
CREATE INDEX identities_by_user ON identities (user_id);
CREATE INDEX identities_by_email ON identities (lower(email));

-- A sign-in that was begun; nonce and PKCE verifier are made from the secret in the browser's cookie.
CREATE TABLE sign_in_intents (
  state_sha256 text PRIMARY KEY,
  source text NOT NULL,
  -- the account that is to get another identity, where its user was signed in at the beginning
  user_id bigint REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_in_intents_by_end ON sign_in_intents (expires_at);
CREATE INDEX sign_in_intents_by_user ON sign_in_intents (user_id) WHERE user_id IS NOT NULL;

-- A person whom a provider has vouched for and who has neither signed in nor up yet.
CREATE TABLE pending_sign_ins (
  token_sha256 text PRIMARY KEY,
  source text NOT NULL,
  subject text NOT NULL,
  name text,
  email text,
  email_verified boolean NOT NULL,
  corporate_domain text,
  -- as in `sign_in_intents`
  user_id bigint REFERENCES users ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX pending_sign_ins_by_end ON pending_sign_ins (expires_at);
CREATE INDEX pending_sign_ins_by_user ON pending_sign_ins (user_id) WHERE user_id IS NOT NULL;

CREATE TABLE sessions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id bigint NOT NULL REFERENCES users,
  source text NOT NULL,
  -- 64 hex digits; the token itself is stored nowhere
  token_sha256 text NOT NULL CONSTRAINT sessions_token_key UNIQUE,
  created_at timestamptz NOT NULL,
  last_used_at timestamptz NOT NULL,
  idle_expires_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_by_user ON sessions (user_id);
CREATE INDEX sessions_ended ON sessions (least(idle_expires_at, expires_at));

-- Tenants, and what belongs to them.

CREATE TABLE tenants (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  name text NOT NULL,
  description text,
  email text NOT NULL,
  protected boolean NOT NULL DEFAULT false,
  owner_id bigint NOT NULL REFERENCES users,
  -- what this tenant has instead of its plan's values, by the names of the features
  feature_overrides jsonb NOT NULL DEFAULT '{}',
  -- the corporate domain that was claimed when the tenant was founded
  email_domain text,
  email_domain_verified_at timestamptz,
  -- how people come into the tenant, and which addresses it may invite
  join_policy text NOT NULL DEFAULT 'invite_only'
    CHECK (join_policy IN ('invite_only', 'open', 'request_to_join')),
  block_external_invitations boolean NOT NULL DEFAULT false,
  enforce_domain_only_invitations boolean NOT NULL DEFAULT false,
  -- by what a role in a tenant's cloud account knows that Sluice acts for this tenant and for no other
  external_id uuid NOT NULL DEFAULT gen_random_uuid(),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX tenants_email_domain_key ON tenants (email_domain) WHERE email_domain IS NOT NULL;
CREATE INDEX tenants_by_owner ON tenants (owner_id);
-- the domains whose people no other tenant may invite
CREATE INDEX tenants_locked_domains ON tenants (lower(email_domain)) WHERE block_external_invitations;

CREATE TABLE subscriptions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL UNIQUE REFERENCES tenants,
  plan text NOT NULL CHECK (plan IN ('basic', 'pro', 'enterprise')),
  active boolean NOT NULL DEFAULT true,
  -- what the other services were sent last of what the plan allows, and in which order; null: nothing yet
  published_features jsonb,
  features_version bigint NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- How a tenant pays: a card, or an invoice by agreement.
CREATE TABLE payment_methods (
  tenant_id bigint PRIMARY KEY REFERENCES tenants ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('card', 'invoice')),
  -- null: until it is taken back
  valid_to timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE divisions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants,
  name text NOT NULL,
  description text,
  email text,
  -- labels below the tenant's own domain, in lower case: a person who has an address there is one of the tenant's
  email_subdomain text,
  protected boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX divisions_name_key ON divisions (tenant_id, lower(name));
CREATE UNIQUE INDEX divisions_email_subdomain_key ON divisions (tenant_id, email_subdomain)
  WHERE email_subdomain IS NOT NULL;
CREATE INDEX divisions_listed ON divisions (tenant_id, created_at, id);

ALTER TABLE users
  ADD FOREIGN KEY (default_tenant_id) REFERENCES tenants ON DELETE SET NULL,
  ADD FOREIGN KEY (default_division_id) REFERENCES divisions ON DELETE SET NULL;

CREATE TABLE environments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants,
  division_id bigint NOT NULL REFERENCES divisions,
  name text NOT NULL,
  description text,
  protected boolean NOT NULL DEFAULT false,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX environments_name_key ON environments (division_id, lower(name));
CREATE INDEX environments_by_tenant ON environments (tenant_id);
CREATE INDEX environments_listed ON environments (division_id, created_at, id);

-- The accounts that tenants have at the providers of clouds (interface, 2.9).
CREATE TABLE cloud_accounts (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants ON DELETE CASCADE,
  cloud text NOT NULL,
  name text NOT NULL,
  -- as the provider names it
  account_id text NOT NULL,
  region text,
  status text NOT NULL DEFAULT 'active',
  validated_at timestamptz,
  -- encrypted: with the external id among them another party could have the role of the account assumed
  sealed_settings text,
  remarks text,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX cloud_accounts_name_key ON cloud_accounts (tenant_id, lower(name));

-- Members, roles and keys.

CREATE TABLE memberships (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants,
  user_id bigint NOT NULL REFERENCES users,
  active boolean NOT NULL DEFAULT true,
  created_at timestamptz NOT NULL DEFAULT now(),
  UNIQUE (tenant_id, user_id)
);
CREATE INDEX memberships_by_user ON memberships (user_id);
CREATE INDEX memberships_listed ON memberships (tenant_id, created_at, id);

CREATE TABLE roles (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants,
  kind text NOT NULL CHECK (kind IN ('system', 'custom', 'api_key')),
  name text NOT NULL,
  -- system roles say by their name what they grant, so that a release can change it for all tenants
  permissions jsonb CHECK ((permissions IS NULL) = (kind = 'system')),
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
-- roles of kind api_key belong to one key each and are never chosen by their name
CREATE UNIQUE INDEX roles_name_key ON roles (tenant_id, lower(name)) WHERE kind <> 'api_key';
CREATE INDEX roles_by_tenant ON roles (tenant_id);
CREATE INDEX roles_listed ON roles (tenant_id, created_at, id) WHERE kind <> 'api_key';

CREATE TABLE member_roles (
  membership_id bigint NOT NULL REFERENCES memberships,
  role_id bigint NOT NULL REFERENCES roles,
  PRIMARY KEY (membership_id, role_id)
);
CREATE INDEX member_roles_by_role ON member_roles (role_id);

CREATE TABLE api_keys (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants,
  -- the only division that the key sees; null: it is a key of the whole tenant
  division_id bigint REFERENCES divisions,
  name text NOT NULL,
  -- 64 hex digits; the token itself is stored nowhere
  token_sha256 text NOT NULL CONSTRAINT api_keys_token_key UNIQUE,
  role_id bigint NOT NULL REFERENCES roles,
  user_id bigint NOT NULL REFERENCES users,
  validate_ip boolean NOT NULL DEFAULT false,
  allowed_ips text[] NOT NULL DEFAULT '{}',
  -- what the key may do at most: set when a restored database would have given it back what was taken away since its copy
  limited_to jsonb,
  expiry_at timestamptz NOT NULL,
  last_used_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX api_keys_name_key ON api_keys (tenant_id, coalesce(division_id, 0), lower(name));
CREATE INDEX api_keys_by_role ON api_keys (role_id);
CREATE INDEX api_keys_by_user ON api_keys (user_id, tenant_id);
CREATE INDEX api_keys_by_division ON api_keys (division_id) WHERE division_id IS NOT NULL;
CREATE INDEX api_keys_by_end ON api_keys (expiry_at);
CREATE INDEX api_keys_listed ON api_keys (tenant_id, created_at, id);

-- The tokens that a key had before it was rotated, while they still work.
CREATE TABLE former_tokens (
  token_sha256 text PRIMARY KEY,
  api_key_id bigint NOT NULL REFERENCES api_keys ON DELETE CASCADE,
  expires_at timestamptz NOT NULL
);
CREATE INDEX former_tokens_by_key ON former_tokens (api_key_id);
CREATE INDEX former_tokens_by_end ON former_tokens (expires_at);

CREATE TABLE invitations (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants ON DELETE CASCADE,
  -- the person who has this address, verified by an identity provider, can accept
  email text NOT NULL,
  -- A pending one past its end is expired. One that was deleted cannot be accepted, but counts among those that were made of late.
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'accepted', 'rejected', 'deleted')),
  invited_by bigint NOT NULL REFERENCES users,
  -- why its mail could not be delivered
  mail_failure text,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX invitations_by_tenant ON invitations (tenant_id, created_at);
CREATE INDEX invitations_by_email ON invitations (lower(email));
CREATE INDEX invitations_by_inviter ON invitations (invited_by);
CREATE INDEX invitations_by_end ON invitations (expires_at);

-- The roles that a person gets who accepts an invitation.
CREATE TABLE invitation_roles (
  invitation_id bigint NOT NULL REFERENCES invitations ON DELETE CASCADE,
  role_id bigint NOT NULL REFERENCES roles ON DELETE CASCADE,
  PRIMARY KEY (invitation_id, role_id)
);
CREATE INDEX invitation_roles_by_role ON invitation_roles (role_id);

-- Made by the join policy request_to_join.
CREATE TABLE join_requests (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants ON DELETE CASCADE,
  user_id bigint NOT NULL REFERENCES users,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'rejected')),
  created_at timestamptz NOT NULL DEFAULT now(),
  decided_at timestamptz
);
CREATE UNIQUE INDEX join_requests_pending_key ON join_requests (tenant_id, user_id) WHERE status = 'pending';
CREATE INDEX join_requests_by_user ON join_requests (user_id);
CREATE INDEX join_requests_by_tenant ON join_requests (tenant_id, created_at);
CREATE INDEX join_requests_decided ON join_requests (decided_at);

-- How many mails were sent of late to one address, or by one tenant. Nothing that is taken back gives any of it back, so that
-- no tenant can have a stranger mailed to without end by inviting them again and again.
CREATE TABLE mail_allowances (
  -- of which the allowance is: a tenant, or an address, which stands here as its hash
  subject text PRIMARY KEY,
  -- when the allowance is whole again: each mail moves it on by the time after which another one may follow
  whole_at timestamptz NOT NULL
);
CREATE INDEX mail_allowances_by_whole_at ON mail_allowances (whole_at);

-- Mails that could not be delivered: each is recorded once, however often it is reported.
CREATE TABLE undeliverable_mails (
  mail_id uuid PRIMARY KEY,
  reported_at timestamptz NOT NULL
);
CREATE INDEX undeliverable_mails_by_age ON undeliverable_mails (reported_at);

-- What each token may do, as all services shall know it: changed in the transaction of each change of rights, and
-- published from here. A row without content is a removal; it stays for some days after it has been published.
CREATE SEQUENCE grant_versions;
CREATE TABLE grants (
  -- where it stands in the bucket
  key text PRIMARY KEY,
  content jsonb,
  version bigint NOT NULL DEFAULT nextval('grant_versions'),
  expires_at timestamptz,
  changed_at timestamptz NOT NULL DEFAULT now(),
  -- the version that is known to be in force on all layers
  settled_version bigint,
  -- in which bucket, and at which of its revisions, that one stands
  bucket bigint,
  sequence bigint,
  -- while a grant is frozen its token is refused, whatever its content says: after a restore, until an operator has decided
  frozen boolean NOT NULL DEFAULT false
);
CREATE INDEX grants_unsettled ON grants (changed_at) WHERE settled_version IS DISTINCT FROM version;
CREATE INDEX grants_by_sequence ON grants (bucket, sequence);
CREATE INDEX grants_expired ON grants (expires_at) WHERE content IS NOT NULL;
CREATE INDEX grants_removed ON grants (changed_at) WHERE content IS NULL;

-- The bucket that the grants are published in: one row.
CREATE TABLE grant_bucket (
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  -- counts the buckets that were made
  bucket bigint NOT NULL DEFAULT 0,
  -- counts the times at which the bucket turned out to have lost something
  epoch bigint NOT NULL DEFAULT 0,
  -- when NATS made the bucket, as NATS says it
  created text,
  -- whether the bucket has been compared with the table since the epoch began, and is the same
  complete boolean NOT NULL DEFAULT false,
  -- by which system roles and which form the grants were made
  made_by text,
  -- whether the database was restored, and its grants have not been compared with those in NATS yet
  review boolean NOT NULL DEFAULT false,
  -- whether the bucket has had all that the restored database knows of it: what is missing there was removed then
  judges boolean NOT NULL DEFAULT true,
  -- the newest event that was sent: what follows it in the stream was sent after the copy that the database was restored from
  sent jsonb
);
INSERT INTO grant_bucket DEFAULT VALUES;

-- Regions and deployments.

-- The regions whose supervisor has registered, and what it has said of them.
CREATE TABLE regions (
  cloud text NOT NULL,
  region text NOT NULL,
  supervisor_url text NOT NULL,
  -- whether nodes of a deployment can be one cluster there
  clusters boolean NOT NULL DEFAULT false,
  -- what it provides for each variant, of what not every region does: {"managed": ["encrypted"], "byoc": []}
  options jsonb NOT NULL DEFAULT '{}',
  -- what connectors runtimes of its release have: [{"type": "sink", "key": "http"}]
  plugins jsonb NOT NULL DEFAULT '[]',
  registered_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (cloud, region)
);

CREATE TABLE deployments (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  -- What tells a deployment from all others for good. An id may be given away again when this database is restored from an
  -- older copy, while the region still has the deployment that had it.
  uid uuid NOT NULL DEFAULT gen_random_uuid() CONSTRAINT deployments_uid UNIQUE,
  tenant_id bigint NOT NULL REFERENCES tenants,
  division_id bigint NOT NULL REFERENCES divisions,
  environment_id bigint NOT NULL REFERENCES environments,
  name text NOT NULL,
  code text NOT NULL CONSTRAINT deployments_code_key UNIQUE,
  domain text,
  description text,
  protected boolean NOT NULL,
  variant text NOT NULL,
  cloud text NOT NULL,
  region text NOT NULL,
  area text NOT NULL,
  -- how a region gets into the cloud account of the tenant; of byoc only
  cloud_access jsonb,
  -- whether the tenant has deleted the cloud account that a byoc deployment is in: it goes on, and is not made anew
  cloud_account_deleted boolean NOT NULL DEFAULT false,
  tier text NOT NULL,
  cluster text NOT NULL,
  encrypted boolean NOT NULL,
  storage_type text NOT NULL,
  storage_size integer,
  telemetry_days integer NOT NULL,
  target_network_tput integer,
  availability_mode text NOT NULL,
  dedicated boolean NOT NULL,
  public_ip_enabled boolean NOT NULL,
  subdomain_enabled boolean NOT NULL,
  spend_limit numeric(14, 2),
  -- how often the shape was sent to the region
  generation integer NOT NULL DEFAULT 1,
  status text NOT NULL DEFAULT 'creating',
  status_reason text,
  -- the number of the newest status report that was taken in
  status_version integer NOT NULL DEFAULT 0,
  -- set once its deletion was asked for; from then on its status stays 'deleting'
  delete_requested_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT deployments_name_key UNIQUE (environment_id, name),
  FOREIGN KEY (cloud, region) REFERENCES regions
);
CREATE INDEX deployments_by_tenant ON deployments (tenant_id);
CREATE INDEX deployments_by_division ON deployments (division_id);
CREATE INDEX deployments_by_region ON deployments (cloud, region);
CREATE INDEX deployments_listed ON deployments (environment_id, created_at, id);
-- those that are on their way: few at any time, and looked through every half minute
CREATE INDEX deployments_transient ON deployments (updated_at)
  WHERE status NOT IN ('initialized', 'stopped', 'deleting', 'failed');

CREATE TABLE deployment_nodes (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  name text NOT NULL,
  image_id text NOT NULL,
  instance text NOT NULL,
  storage_type text NOT NULL
);
CREATE INDEX deployment_nodes_by_deployment ON deployment_nodes (deployment_id);

-- What deployments were upgraded and extended to, and how that ended. Until it has ended well, the deployment's own row says what it is.
CREATE TABLE deployment_upgrades (
  id uuid PRIMARY KEY DEFAULT gen_random_uuid(),
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  from_tier text NOT NULL,
  to_tier text NOT NULL,
  storage_type text NOT NULL,
  -- gigabytes; null for local storage
  from_storage_size integer,
  to_storage_size integer,
  nodes_before integer NOT NULL,
  nodes_after integer NOT NULL,
  -- pending, in_progress; completed, rolled_back, failed
  status text NOT NULL DEFAULT 'pending',
  reason text,
  -- the request that asked for it, to which its end belongs as well
  correlation_id uuid,
  requested_at timestamptz NOT NULL DEFAULT now(),
  -- when it was completed
  upgraded_at timestamptz,
  -- when main-api ended an upgrade of which its region had not reported; a report that comes later counts instead
  given_up_at timestamptz
);
CREATE UNIQUE INDEX deployment_upgrades_open ON deployment_upgrades (deployment_id)
  WHERE status IN ('pending', 'in_progress');
CREATE INDEX deployment_upgrades_by_deployment ON deployment_upgrades (deployment_id, requested_at);

-- Deployments that are gone: a region that is restored from an older copy still has them, and is sent their deletion again.
CREATE TABLE removed_deployments (
  uid uuid PRIMARY KEY,
  deployment_id bigint NOT NULL,
  removed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX removed_deployments_by_time ON removed_deployments (removed_at);

-- The region's copy of who may reach a deployment: its access rules and logins. Passwords are sealed with keys that only the region has.
CREATE TABLE deployment_access (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  revision bigint NOT NULL,
  access jsonb NOT NULL
);

-- What is known of the one-time codes for one deletion. The codes themselves stand nowhere: each is computed from a
-- configured key, from what would be deleted, and from the instant at which it was issued.
CREATE TABLE protection_codes (
  -- what would be deleted is the innermost of these; its row goes with it
  tenant_id bigint NOT NULL REFERENCES tenants ON DELETE CASCADE,
  division_id bigint REFERENCES divisions ON DELETE CASCADE,
  environment_id bigint REFERENCES environments ON DELETE CASCADE,
  deployment_id bigint REFERENCES deployments ON DELETE CASCADE,
  -- of the newest code, the only one that is right; null: none was issued yet, or it is used
  issued_at timestamptz,
  -- the mail of the newest code, and why it could not be delivered
  mail_id uuid,
  mail_failure text,
  -- when wrong codes were given of late
  wrong_at timestamptz[] NOT NULL DEFAULT '{}',
  -- until when no code is taken
  locked_until timestamptz,
  CONSTRAINT protection_codes_key UNIQUE NULLS NOT DISTINCT (tenant_id, division_id, environment_id, deployment_id)
);
CREATE INDEX protection_codes_by_division ON protection_codes (division_id) WHERE division_id IS NOT NULL;
CREATE INDEX protection_codes_by_environment ON protection_codes (environment_id) WHERE environment_id IS NOT NULL;
CREATE INDEX protection_codes_by_deployment ON protection_codes (deployment_id) WHERE deployment_id IS NOT NULL;
CREATE INDEX protection_codes_by_age
  ON protection_codes (coalesce(greatest(issued_at, locked_until, wrong_at[cardinality(wrong_at)]), '-infinity'));

-- Connectors.

-- What was activated of the catalogue of connectors (interface, 2.13 and 4.10). The regions have the instances themselves.
CREATE TABLE connector_instances (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id bigint NOT NULL REFERENCES deployments ON DELETE CASCADE,
  connector_type text NOT NULL,
  connector_key text NOT NULL,
  name text NOT NULL,
  key text NOT NULL,
  status text NOT NULL DEFAULT 'pending',
  status_reason text,
  -- when the region has taken it in, or would not have it: from then on its key is free
  accepted_at timestamptz,
  refused_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX connector_instances_by_deployment ON connector_instances (deployment_id);
CREATE UNIQUE INDEX connector_instances_key ON connector_instances (deployment_id, key) WHERE refused_at IS NULL;
CREATE INDEX connector_instances_refused ON connector_instances (refused_at) WHERE refused_at IS NOT NULL;

-- Connector instances that are deleted: an inventory of a region that was restored from an older copy does not bring them back.
CREATE TABLE removed_connector_instances (
  id bigint PRIMARY KEY,
  deployment_id bigint NOT NULL,
  removed_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX removed_connector_instances_by_end ON removed_connector_instances (removed_at);

-- What the connectors runtime of a deployment can do, as its region has said last.
CREATE TABLE connector_runtimes (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  version bigint NOT NULL,
  plugins jsonb NOT NULL
);

-- What differs between the restored tables and newer evidence, and an operator has to decide: one row for each.
CREATE TABLE restore_differences (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  kind text NOT NULL,
  -- no reference: it may be one that the copy does not have
  tenant_id bigint,
  -- what it is known by, among those of its kind
  subject text NOT NULL,
  -- the next three are for people
  about text NOT NULL,
  person text,
  evidence text NOT NULL,
  -- what it takes to apply it
  detail jsonb NOT NULL,
  found_at timestamptz NOT NULL DEFAULT now(),
  decision text CHECK (decision IN ('apply', 'reject')),
  carried_out_at timestamptz,
  -- why the last decision could not be carried out: it is open again then
  failure text
);
CREATE UNIQUE INDEX restore_differences_open ON restore_differences (kind, subject) WHERE carried_out_at IS NULL;
CREATE INDEX restore_differences_over ON restore_differences (carried_out_at);

-- Notification channels.

-- What is newer of a channel has a higher version. They are moved on after a restore, like all sequences.
CREATE SEQUENCE channel_versions;

-- Where tenants and their divisions have events sent (interface, 2.15). The notifier gets them by messages.
CREATE TABLE channels (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  tenant_id bigint NOT NULL REFERENCES tenants ON DELETE CASCADE,
  -- null: the tenant's own
  division_id bigint REFERENCES divisions ON DELETE CASCADE,
  channel text NOT NULL,
  name text NOT NULL,
  enabled boolean NOT NULL DEFAULT true,
  -- destination, settings and the secret that webhooks are signed with, encrypted
  sealed_secrets text NOT NULL,
  remarks text,
  version bigint NOT NULL DEFAULT nextval('channel_versions'),
  tested_at timestamptz,
  -- the notifier has reported that the address of a mail channel has unsubscribed
  unsubscribed_at timestamptz,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX channels_name_key ON channels (tenant_id, coalesce(division_id, 0), lower(name));
CREATE INDEX channels_by_division ON channels (division_id);
CREATE INDEX channels_listed ON channels (tenant_id, created_at, id);

-- Which events a channel gets, where that is not everything.
CREATE TABLE channel_subscriptions (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  channel_id bigint NOT NULL REFERENCES channels ON DELETE CASCADE,
  message_types text[] NOT NULL,
  -- by level what it names, with the names that these had; an empty list stands for all there is at that level
  scopes jsonb NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now(),
  updated_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX channel_subscriptions_listed ON channel_subscriptions (channel_id, created_at, id);
