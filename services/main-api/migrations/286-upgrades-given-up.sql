-- When main-api ended an upgrade of which its region had not reported; a report that comes later counts instead.
ALTER TABLE deployment_upgrades ADD COLUMN given_up_at timestamptz;
