-- How many mails were sent of late to one address, or by one tenant. Nothing that is taken back gives any of it back, so that
-- nobody can have a stranger mailed to without end by inviting them again and again.
CREATE TABLE mail_allowances (
  -- whose allowance it is: a tenant's, or that of an address, which stands here as its hash
  subject text PRIMARY KEY,
  -- when the allowance is whole again: each mail moves it on by the time after which another one may follow
  whole_at timestamptz NOT NULL
);
CREATE INDEX mail_allowances_by_whole_at ON mail_allowances (whole_at);
