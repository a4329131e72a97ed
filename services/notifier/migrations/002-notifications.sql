-- What channels were told of, or are to be told of (interface, 2.15 and 6.2): the history, and what is left to do.
CREATE TABLE notifications (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  channel_id bigint NOT NULL REFERENCES channels ON DELETE CASCADE,
  -- the same at each attempt, for receivers to know doubles by
  message_id uuid NOT NULL,
  tenant_id bigint NOT NULL,
  division_id bigint,
  environment_id bigint,
  deployment_id bigint,
  message_type text NOT NULL,
  -- subject, body, facts and link
  message jsonb NOT NULL,
  occurred_at timestamptz NOT NULL,
  status text NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  reason text,
  due_at timestamptz NOT NULL DEFAULT now(),
  created_at timestamptz NOT NULL DEFAULT now(),
  delivered_at timestamptz
);
CREATE INDEX notifications_listed ON notifications (channel_id, created_at, id);
CREATE INDEX notifications_pending ON notifications (channel_id, due_at, id) WHERE status = 'pending';
CREATE INDEX notifications_by_time ON notifications (created_at);

-- When something of a channel is due. Whoever leases it delivers alone, so that a destination gets one message at a time.
CREATE TABLE queues (
  channel_id bigint PRIMARY KEY REFERENCES channels ON DELETE CASCADE,
  -- when it can be leased: when something is due, or when the lease of somebody who has not come back is over
  ready_at timestamptz NOT NULL,
  -- of what came during the lease
  due_at timestamptz NOT NULL,
  lease uuid
);
CREATE INDEX queues_ready ON queues (ready_at);

-- When a channel was last told of a type of event about the same resource.
CREATE TABLE throttles (
  channel_id bigint NOT NULL REFERENCES channels ON DELETE CASCADE,
  -- a hash of type and resource
  subject text NOT NULL,
  told_at timestamptz NOT NULL,
  PRIMARY KEY (channel_id, subject)
);
CREATE INDEX throttles_by_time ON throttles (told_at);
