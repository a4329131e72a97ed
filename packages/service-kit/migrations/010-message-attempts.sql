-- Attempts at messages that were delivered before: written before such an attempt, gone after it, unless it has ended its
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
  -- a person wants it put aside: the next attempt is none
  put_aside_at timestamptz,
  PRIMARY KEY (consumer, sequence)
);
CREATE INDEX message_attempts_by_age ON message_attempts (begun_at);
