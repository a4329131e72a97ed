-- Copies of what deployments have stored. One whose deployment is gone is removed with its files by the supervisor.
CREATE TABLE backups (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  deployment_id bigint REFERENCES deployments ON DELETE SET NULL,
  name text NOT NULL,
  -- manual, scheduled, pre_upgrade
  backup_type text NOT NULL,
  -- null: of every node
  node_id bigint,
  -- pending, in_progress; completed, failed; deleting
  status text NOT NULL DEFAULT 'pending',
  -- why it has failed
  error text,
  remarks text,
  -- what the volumes are copied to: [{node_id, volume_id, snapshot_id, digest, bytes}]; digest and bytes once they are known
  copies jsonb NOT NULL DEFAULT '[]',
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

-- What is being done with the volumes of a deployment: one thing at a time. A replica does it under a lease.
CREATE TABLE volume_work (
  deployment_id bigint PRIMARY KEY REFERENCES deployments ON DELETE CASCADE,
  -- by which drivers tell what belongs to it; never comes again
  run uuid NOT NULL UNIQUE DEFAULT gen_random_uuid(),
  -- backup, restore
  kind text NOT NULL,
  backup_id bigint NOT NULL REFERENCES backups ON DELETE CASCADE,
  -- what comes next
  step text NOT NULL,
  -- while brokers are stopped for it: [{node_id, stopped}], as it was wanted before
  former_states jsonb,
  -- the revision by which their agents were told last
  revision bigint,
  -- until when they have to have done what they were told
  deadline timestamptz,
  -- why what was done is taken back
  failure text,
  created_by jsonb NOT NULL,
  fence bigint NOT NULL DEFAULT 0,
  leased_until timestamptz
);
CREATE INDEX volume_work_by_backup ON volume_work (backup_id);
