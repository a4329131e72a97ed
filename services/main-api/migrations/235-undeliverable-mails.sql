-- Mails that could not be delivered: each is recorded once, however often it is reported.
CREATE TABLE undeliverable_mails (
  mail_id uuid PRIMARY KEY,
  reported_at timestamptz NOT NULL
);
CREATE INDEX undeliverable_mails_by_age ON undeliverable_mails (reported_at);

-- why the mail of an invitation could not be delivered
ALTER TABLE invitations ADD COLUMN mail_failure text;
