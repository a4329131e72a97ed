-- Messages that wait for the relay: written in the transaction of the change that they tell of, gone once NATS has
-- them. Messages of one lane go out in the order of their ids.
CREATE TABLE outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  message_id uuid NOT NULL,
  lane text NOT NULL,
  subject text NOT NULL,
  headers jsonb NOT NULL DEFAULT '{}',
  payload text NOT NULL,
  created_at timestamptz NOT NULL DEFAULT now()
);

-- Messages that have had their effect: written in the effect's transaction, so that a second delivery finds it.
CREATE TABLE inbox (
  consumer text NOT NULL,
  message_id uuid NOT NULL,
  received_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (consumer, message_id)
);
CREATE INDEX inbox_by_age ON inbox (received_at);
