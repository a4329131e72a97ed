-- How many mails of channels an address has had of late: when its part of a day will be whole again.
CREATE TABLE mail_allowances (
  -- an HMAC of the address
  subject text PRIMARY KEY,
  whole_at timestamptz NOT NULL
);
CREATE INDEX mail_allowances_by_time ON mail_allowances (whole_at);
