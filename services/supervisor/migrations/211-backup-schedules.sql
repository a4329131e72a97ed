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

-- whether the schedule has taken it; people may call theirs scheduled as well
ALTER TABLE backups ADD COLUMN by_schedule boolean NOT NULL DEFAULT false;
