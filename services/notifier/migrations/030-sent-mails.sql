-- Mails that other services have asked for and that were sent of late: what they were about, should they come back. Nothing of what they say.
CREATE TABLE sent_mails (
  -- of the message that asked for it
  mail_id uuid PRIMARY KEY,
  tenant_id bigint NOT NULL,
  template text NOT NULL,
  recipient text NOT NULL,
  about jsonb NOT NULL,
  sent_at timestamptz NOT NULL DEFAULT now(),
  returned_at timestamptz
);
CREATE INDEX sent_mails_by_time ON sent_mails (sent_at);
CREATE INDEX sent_mails_by_tenant ON sent_mails (tenant_id);
