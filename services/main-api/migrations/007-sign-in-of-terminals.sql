-- What a terminal calls itself; null: a browser.
ALTER TABLE sessions ADD COLUMN machine text;

-- Terminals that ask to be signed in. Codes and tokens are stored as SHA-256, 64 hex digits.
CREATE TABLE device_sign_ins (
  device_code_sha256 text PRIMARY KEY,
  user_code_sha256 text NOT NULL UNIQUE,
  -- of the session that an approval opens
  token_sha256 text NOT NULL,
  machine text NOT NULL,
  address text,
  -- what the limit of codes is counted by
  network text NOT NULL,
  status text NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'approved', 'denied', 'taken')),
  -- who has decided
  user_id bigint REFERENCES users ON DELETE CASCADE,
  poll_seconds integer NOT NULL,
  polled_at timestamptz,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX device_sign_ins_by_end ON device_sign_ins (expires_at);
CREATE INDEX device_sign_ins_by_user ON device_sign_ins (user_id) WHERE user_id IS NOT NULL;
