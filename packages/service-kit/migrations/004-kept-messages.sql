-- Which stream a message is for, as the second token of its subject says: events, commands, … Each is relayed by itself,
-- so that what cannot be sent to one of them holds up no other.
ALTER TABLE outbox ADD COLUMN stream_kind text NOT NULL GENERATED ALWAYS AS (split_part(subject, '.', 2)) STORED;
-- How often NATS has refused it; until `retry_at`, it and those behind it with its ordering key are passed by.
ALTER TABLE outbox ADD COLUMN refusals integer NOT NULL DEFAULT 0;
ALTER TABLE outbox ADD COLUMN retry_at timestamptz;
-- When NATS had it first, if that lost it again. `created_at` is since when it waits.
ALTER TABLE outbox ADD COLUMN sent_at timestamptz;
CREATE INDEX outbox_by_stream ON outbox (stream_kind, id);
CREATE INDEX outbox_refused ON outbox (stream_kind, retry_at) WHERE retry_at IS NOT NULL;

-- Messages that NATS has stored, kept for some days, in case that it loses them: where they were stored, and when the
-- stream was made, as NATS writes it. In a table of their own, so that `outbox` holds only what waits.
CREATE TABLE outbox_sent (
  id bigint PRIMARY KEY,
  message_id uuid NOT NULL,
  ordering_key text NOT NULL,
  subject text NOT NULL,
  headers jsonb NOT NULL,
  payload text NOT NULL,
  sent_at timestamptz NOT NULL,
  stream text NOT NULL,
  stream_created text NOT NULL,
  sequence bigint NOT NULL
);
CREATE INDEX outbox_sent_by_age ON outbox_sent (sent_at);
CREATE INDEX outbox_sent_by_place ON outbox_sent (stream, stream_created, sequence);

-- Messages that NATS refuses for good, for a person to look at.
CREATE TABLE outbox_dead_letters (
  id bigint PRIMARY KEY,
  message_id uuid NOT NULL,
  ordering_key text NOT NULL,
  subject text NOT NULL,
  headers jsonb NOT NULL,
  payload text NOT NULL,
  reason text NOT NULL,
  attempts integer NOT NULL,
  created_at timestamptz NOT NULL,
  died_at timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX outbox_dead_letters_by_age ON outbox_dead_letters (died_at);
