-- Mails that could not be delivered: each is recorded once, however often it is reported.
CREATE TABLE undeliverable_mails (
  mail_id uuid PRIMARY KEY,
  reported_at timestamptz NOT NULL
);

-- why the mail of an invitation could not be delivered
ALTER TABLE invitations ADD COLUMN mail_failure text;
