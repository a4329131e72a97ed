-- The kit's tables as release 1.0.0 has them. What comes later is a file of its own.

-- Messages that wait for the relay: written in the transaction of the change that they are about, deleted once NATS has them.
-- Messages that share an ordering key go out in the order of their ids.
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id uuid NOT NULL,
  ordering_key text NOT NULL,
  subject text NOT NULL,
  -- Which stream a message is for, as the second token of its subject says: events, commands, … Each is relayed by itself,
  -- so that what cannot be sent to one of them holds up no other.
  stream_kind text NOT NULL GENERATED ALWAYS AS (split_part(subject, '.', 2)) STORED,
  headers jsonb NOT NULL DEFAULT '{}',
  payload text NOT NULL,
  -- since when it waits
  created_at timestamptz NOT NULL DEFAULT now(),
  -- how often NATS has refused it; until `retry_at`, it and those behind it with its ordering key are passed by
  refusals integer NOT NULL DEFAULT 0,
  retry_at timestamptz,
  -- when NATS had it first, if that lost it again
  sent_at timestamptz
);
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

-- Messages that NATS refuses for good, for an operator to look at.
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

-- Messages that have had their effect: written in the effect's transaction, so that a second delivery finds it.
CREATE TABLE inbox (
  consumer text NOT NULL,
  message_id uuid NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, message_id)
);
CREATE INDEX inbox_by_age ON inbox (received_at);

-- Attempts at messages that were delivered before: written before such an attempt, deleted after it, unless it has ended its
-- process. So what is left over says which message may have done that.
CREATE TABLE message_attempts (
  consumer text NOT NULL,
  sequence bigint NOT NULL,
  -- when NATS has stored the message: a stream that was made anew counts from the beginning
  stored_at text,
  -- the process that has begun the last one
  process text,
  -- by how many processes one was begun that none of them has ended
  begun integer NOT NULL DEFAULT 0,
  begun_at timestamptz NOT NULL DEFAULT now(),
  -- an operator wants it put aside: the next attempt is none
  put_aside_at timestamptz,
  PRIMARY KEY (consumer, sequence)
);
CREATE INDEX message_attempts_by_age ON message_attempts (begun_at);

-- How far a consumer has got in its stream, as this database knows it. A consumer of which NATS has more acknowledgements than this was
-- acknowledged by a later state of the database: the database was restored.
CREATE TABLE consumer_progress (
  consumer text PRIMARY KEY,
  -- when the stream was made: one that is made anew counts from the beginning
  stream_created text NOT NULL,
  -- the highest of the messages that have had their effect, or are dead letters
  sequence bigint NOT NULL
) WITH (fillfactor = 50);

-- Which process reads the messages of a consumer that handles them in the order of their stream, and until when.
CREATE TABLE consumer_turns (
  consumer text PRIMARY KEY,
  holder text NOT NULL,
  until timestamptz NOT NULL
);

-- Requests sent with an Idempotency-Key, for as long as their answer is repeated. The answer is encrypted under a key
-- made from the caller's own token, which is stored nowhere.
CREATE TABLE idempotent_requests (
  tenant_id bigint NOT NULL,
  api_key_id bigint NOT NULL,
  key text NOT NULL,
  -- of method, path and body: the same key must not be used for another request
  fingerprint text NOT NULL,
  -- set in the transaction of the request's effect
  committed boolean NOT NULL DEFAULT false,
  answer text,
  created_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (tenant_id, api_key_id, key)
);
CREATE INDEX idempotent_requests_by_age ON idempotent_requests (created_at);

-- Which database this was when the service last looked. It is another one after a restore, and after a standby has taken over.
CREATE TABLE database_identity (
  -- the one row
  id boolean PRIMARY KEY DEFAULT true CHECK (id),
  identity text NOT NULL,
  -- when the service last found another database than before
  restored_at timestamptz,
  -- Raised every few seconds, and recorded outside of the database: a database with a lower one than is recorded is an older copy.
  -- Milliseconds since 1970 where the clock of the server has not gone back.
  revision bigint NOT NULL DEFAULT 0
);
